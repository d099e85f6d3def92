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
@testable import Files
@testable import Moves
@testable import Reading
@testable import Writing

/// An account's file is made again from a shared archive.
@Suite(.enabled(if: PostgreSQLServer.isAvailable, "needs PostgreSQL, which .ci/fetch-tools fetches"))
struct SharedRestoreTests {
    /// A random account with its copy in a shared archive.
    private struct Copied {
        let fixture: ArchiveFixture
        let copy: SharedCopy
        var shared: SharedArchive { get throws { SharedArchive(try SharedAddress(copy.address)) } }

        init(seed: UInt64) async throws {
            fixture = try ArchiveFixture()
            copy = try await SharedCopy()
            let writer = try await fixture.openWriter("demo")
            var random = RandomArchive(seed: seed)
            try await random.write(to: writer)
            try await writer.close()
            try await copy.replicate(fixture.archive)
        }
    }

    @Test("a restored account has every row that was copied, and passes every check", arguments: UInt64(1)...4)
    func restored(seed: UInt64) async throws {
        let copied = try await Copied(seed: seed)
        let folder = try TemporaryFolder()
        let archive = Archive(folder: folder.path)
        let report = try archive.restore(account: "demo", from: copied.shared)
        let original = try #require(try copied.fixture.archive.reading().accountSummaries().first)
        #expect(report.messages == original.messages)
        #expect(
            URL(fileURLWithPath: report.folder).lastPathComponent
                == URL(fileURLWithPath: original.folder).lastPathComponent)
        // Files that were here are to be fetched again, so their rows differ.
        let differences = try await copied.copy.differences(from: archive)
        let files = ["file", "content", "attachment"]
        #expect(differences.filter { line in !files.contains { line.contains(": \($0) ") } } == [])
        for check in try archive.check() {
            #expect(check.problems == [], "\(check)")
        }
        // The new epoch replaces the copy of the old one.
        try await copied.copy.replicate(archive)
        #expect(try await copied.copy.differences(from: archive) == [])
        #expect(try copied.shared.reading().accounts().count == 1)
    }

    @Test("messages that rules removed from the file are restored and counted")
    func expired() async throws {
        let fixture = try ArchiveFixture()
        let copy = try await SharedCopy()
        let writer = try await fixture.openWriter("demo")
        let session = try await writer.openSession()
        func at(_ seconds: Int64) -> Timestamp { ArchiveFixture.day.advanced(byMicroseconds: seconds * 1_000_000) }
        _ = try await writer.append((1...10).map { .said("\($0)", at: $0 * 1_000_000, in: session) })
        try await copy.replicate(fixture.archive)
        #expect(try await writer.apply(.keeping([.messages: .seconds(5)]), at: at(10)) == [.messages: 4])
        _ = try await writer.append([.said("11", at: 11_000_000, in: session)])
        try await writer.close()
        try await copy.replicate(fixture.archive)
        let folder = try TemporaryFolder()
        let archive = Archive(folder: folder.path)
        let report = try archive.restore(
            account: "demo", from: SharedArchive(try SharedAddress(copy.address)))
        #expect(report.messages == 11)
        #expect(try archive.check().flatMap(\.problems) == [])
    }

    @Test("every search finds the same in a restored account", arguments: UInt64(5)...6)
    func searched(seed: UInt64) async throws {
        let copied = try await Copied(seed: seed)
        let folder = try TemporaryFolder()
        let archive = Archive(folder: folder.path)
        try archive.restore(account: "demo", from: copied.shared)
        for text in ["text", "안녕", "안", "te*", "from:alice", "nothing"] {
            let query = try copied.fixture.query(.latest, limit: 50)
            let search = SearchScope(query: SearchQuery(parsing: text))
            let (old, new) = (
                try copied.fixture.archive.reading().page(query, matching: search),
                try archive.reading().page(query, matching: search)
            )
            #expect(old.messages.map(\.id) == new.messages.map(\.id), "\(text)")
        }
    }

    @Test("an existing account is not overwritten, and an unknown one is named in the error")
    func refused() async throws {
        let copied = try await Copied(seed: 7)
        #expect(throws: ArchiveError.self) {
            try copied.fixture.archive.restore(account: "demo", from: copied.shared)
        }
        let folder = try TemporaryFolder()
        let archive = Archive(folder: folder.path)
        let error = #expect(throws: ArchiveError.self) {
            try archive.restore(account: "nobody", from: copied.shared)
        }
        #expect(error?.code == .unknownAccount)
        #expect(try archive.reading().accounts() == [])
    }

    @Test("a folder name from the server is used only if it is valid")
    func hostileFolder() async throws {
        let copied = try await Copied(seed: 8)
        for name in ["../../escape-abc123", "demo-../..", "demo-ABC123", "demo", "demo-abc12/"] {
            try copied.copy.connect().execute("UPDATE scrollback.account SET folder = $1", [.text(name)])
            let folder = try TemporaryFolder()
            let report = try Archive(folder: folder.path).restore(account: "demo", from: copied.shared)
            let placed = URL(fileURLWithPath: report.folder)
            #expect(placed.deletingLastPathComponent().path == folder.path + "/accounts", "\(name)")
            #expect(placed.lastPathComponent != name)
        }
    }
}
