import ChatModel
import PostgreSQL
import Replication
import SearchText
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Reading
@testable import Writing

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

    @Test("later changes arrive in batches of any size", arguments: UInt64(11)...14)
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

    @Test("a file that arrives for a copied message makes it a hit of has:file")
    func laterFile() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: ArchiveFixture.day)]).first else {
            Issue.record("no session")
            return
        }
        func said(files: [String]) -> ChatEvent {
            .message(
                IncomingMessage(
                    session: SessionID(rawValue: id), room: RoomReference(key: "#a", name: "#a", kind: .channel),
                    kind: .message, sender: UserReference(key: "alice", name: "alice"), body: "look", remoteID: "m1",
                    receivedAt: ArchiveFixture.day.advanced(byMicroseconds: 5), attachments: files))
        }
        let shared = try await SharedCopy()
        for (files, count) in [([], 0), (["/picture.png"], 1)] as [([String], Int)] {
            _ = try await writer.append([said(files: files)])
            try await shared.replicate(fixture.archive)
            let search = SearchScope(query: SearchQuery(parsing: "has:file has:image"))
            for reading in [
                fixture.archive.reading(), SharedArchive(try SharedAddress(shared.address)).reading(),
            ] {
                let page = try reading.page(try fixture.query(.latest, limit: 5), matching: search)
                #expect(page.messages.count == count, "\(files) in \(reading.folder)")
            }
        }
        try await writer.close()
    }

    @Test("words by an earlier analyser are made again, a batch at a time, and readers learn of it")
    func earlierAnalyser() async throws {
        let fixture = try ArchiveFixture()
        let copy = try await SharedCopy()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((0..<30).map { .said("Straße \($0)", at: Int64($0), in: session) })
        try await copy.replicate(fixture.archive)
        let server = try copy.connect()
        // As an earlier version left them.
        _ = try server.execute("UPDATE scrollback.message SET search = to_tsvector('simple', 'straße')")
        _ = try server.execute("UPDATE scrollback.feed_position SET analyser = 4, next_analyser = 4")
        _ = try server.execute("DELETE FROM scrollback.word")
        _ = try server.execute("INSERT INTO scrollback.word SELECT account_id, 'straße' FROM scrollback.feed_position")
        let reading = SharedArchive(try SharedAddress(copy.address)).reading()
        let scope = MessageQuery.Scope.accounts(["demo"])
        func found(_ text: String = "strasse") throws -> Int {
            try reading.page(fixture.query(room: nil), matching: SearchScope(query: SearchQuery(parsing: text)))
                .messages.count
        }
        func words() throws -> Set<String> {
            let rows = try server.execute("SELECT word FROM scrollback.word")
            return Set(try (0..<rows.count).compactMap { try rows.text($0, 0) })
        }
        #expect(try found() == 0)
        let replicator = Replicator(try fixture.archive.reading().mirrors(of: ["demo"]))
        #expect(try replicator.step(into: server, count: 10).left > 0)
        #expect(try reading.search.indexes(scope).filter(\.isOutdated).map(\.analyser) == [4])
        #expect(try found("*tra*") == 30, "words of both versions")
        try await copy.replicate(fixture.archive, count: 10)
        #expect(try found() == 30)
        #expect(try found("*tras*") == 30)
        #expect(try words() == Set((0..<30).map(String.init) + ["strasse"]))
        #expect(try reading.search.indexes(scope).filter(\.isOutdated).isEmpty)
        #expect(try await copy.differences(from: fixture.archive) == [])
        try await writer.close()
    }

    @Test("a program accepts a newer schema that allows it, and refuses one that does not")
    func newerSchema() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        var random = RandomArchive(seed: 21)
        try await random.write(to: writer, rounds: 20)
        let shared = try await SharedCopy()
        let newer = SharedSchema.current + 1
        try shared.connect().run(
            script: """
                UPDATE scrollback.version SET number = \(newer);
                ALTER TABLE scrollback.message ADD COLUMN later text;
                ALTER TABLE scrollback.room ADD COLUMN later bigint;
                """)
        try SharedSchema.require(shared.connect())
        try await shared.replicate(fixture.archive)
        #expect(try await shared.differences(from: fixture.archive) == [])
        let reading = SharedArchive(try SharedAddress(shared.address)).reading()
        let page = try reading.page(fixture.query(.latest, limit: 20))
        #expect(page == (try fixture.archive.reading().page(fixture.query(.latest, limit: 20))))
        try shared.connect().execute("UPDATE scrollback.version SET oldest = $1", [.integer(Int64(newer))])
        #expect(throws: SharedArchiveError.newer(newer)) { try SharedSchema.require(shared.connect()) }
        try await writer.close()
    }

    @Test("an account of the last schema before the first migration is copied with every row")
    func copiesTheLastSchema() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.fillLastSchema()
        let shared = try await SharedCopy()
        try await shared.replicate(fixture.archive)
        #expect(try await shared.differences(from: fixture.archive) == [])
        let reading = SharedArchive(try SharedAddress(shared.address)).reading()
        let page = try reading.page(fixture.query(.latest, limit: 20))
        let local = try fixture.archive.reading().page(fixture.query(.latest, limit: 20))
        #expect(page.messages == local.messages)
        // A shared archive does not know whether a listener still writes the account, so the reasons of the last gap differ.
        #expect(page.gaps.filter { $0.to != nil } == local.gaps.filter { $0.to != nil })
    }

    @Test("an earlier schema is refused, and stays as it is")
    func refusesEarlierSchemas() async throws {
        let shared = try await SharedCopy()
        let earlier = SharedSchema.first - 1
        try shared.connect().run(script: "UPDATE scrollback.version SET number = \(earlier)")
        #expect(throws: SharedArchiveError.older(earlier)) { try SharedSchema.prepare(shared.connect()) }
        #expect(throws: SharedArchiveError.older(earlier)) { try SharedSchema.require(shared.connect()) }
        #expect(try SharedSchema.version(shared.connect()) == earlier)
    }

    @Test("preparing the schema again changes nothing")
    func preparesOnce() async throws {
        let shared = try await SharedCopy()
        #expect(try SharedSchema.prepare(shared.connect()) == SharedSchema.current)
    }
}
