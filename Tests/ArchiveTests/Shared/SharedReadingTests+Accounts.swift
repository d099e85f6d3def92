import ChatModel
import Foundation
import PostgreSQL
import Replication
import SearchText
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Checks
@testable import Reading
@testable import Records
@testable import Writing

/// Names and addresses of shared accounts.
extension SharedReadingTests {
    @Test("folders distinguish accounts with one name on two machines")
    func sameNames() async throws {
        let copy = try await SharedCopy()
        var folders: [String] = []
        for seed in UInt64(20)...21 {
            let fixture = try ArchiveFixture()
            let writer = try await fixture.openWriter()
            var random = RandomArchive(seed: seed)
            try await random.write(to: writer, rounds: 20)
            try await writer.close()
            try await copy.replicate(fixture.archive)
            folders.append(try #require(try fixture.archive.reading().mirrors().first?.folder))
        }
        let reading = SharedArchive(try SharedAddress(copy.address)).reading()
        #expect(try reading.accounts().map(\.name) == folders.sorted())
        #expect(Set(try reading.rooms().map(\.account)) == Set(folders))
    }

    @Test(
        "an address with a password is refused",
        arguments: [
            "postgres://u:secret@h/d", "postgresql://h/d?password=secret", "host=h password=secret",
            "postgres://h/d?user=u&sslpassword=secret",
        ])
    func refusesPasswords(address: String) {
        #expect { try SharedAddress(address) } throws: { error in
            "\(error)".contains(".pgpass") && !"\(error)".contains("secret")
        }
    }
}
