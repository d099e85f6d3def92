import ChatModel
import PostgreSQL
import Replication
import TestSupport
import Testing

@testable import Archive

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "needs PostgreSQL, which .ci/fetch-tools fetches"))
struct ReplicationTests {
    @Test("a shared archive has every row of every table of the file", arguments: UInt64(1)...6)
    func copiesEverything(seed: UInt64) async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        var random = RandomArchive(seed: seed)
        try await random.write(to: writer)
        let shared = try await SharedCopy()
        try await shared.replicate(fixture.archive)
        let differences = try await shared.differences(from: fixture.archive)
        #expect(differences.isEmpty, "\(differences.prefix(9))")
        try await writer.close()
    }

    @Test("what happens later arrives in batches of any size", arguments: UInt64(11)...14)
    func followsChanges(seed: UInt64) async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        var random = RandomArchive(seed: seed)
        let shared = try await SharedCopy()
        for count in [1, 7, 50, 2000] {
            try await random.write(to: writer, rounds: 30)
            try await shared.replicate(fixture.archive, count: count)
            let differences = try await shared.differences(from: fixture.archive)
            #expect(differences.isEmpty, "in batches of \(count): \(differences.prefix(9))")
        }
        try await writer.close()
    }

    @Test("preparing the schema again changes nothing")
    func preparesOnce() async throws {
        let shared = try await SharedCopy()
        #expect(try SharedSchema.prepare(shared.connect()) == SharedSchema.current)
    }
}
