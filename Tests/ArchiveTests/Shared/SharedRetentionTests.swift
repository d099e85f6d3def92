import ChatModel
import PostgreSQL
import Replication
import SearchText
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Checks
@testable import Moves
@testable import Reading
@testable import Writing

/// The shared archive keeps what rules remove from a file, and forgets what the file forgets.
@Suite(
    .timeLimit(.minutes(MachineSpeed.minutes(5))),
    .enabled(if: PostgreSQLServer.isAvailable, "needs PostgreSQL, which .ci/fetch-tools fetches"))
struct SharedRetentionTests {
    private let fixture: ArchiveFixture
    private let copy: SharedCopy

    init() async throws {
        fixture = try ArchiveFixture()
        copy = try await SharedCopy()
    }

    private func at(_ seconds: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: seconds * 1_000_000)
    }

    private func fill() async throws -> AccountWriter {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append(
            (Int64(0)..<100).flatMap { second -> [ChatEvent] in
                let name = second % 10 == 3 ? "mallory" : "alice"
                return [
                    ChatEvent.said(
                        "said \(second)", at: second * 1_000_000, by: name, in: session, remoteID: "m\(second)",
                        sourceTime: at(second)),
                    .reaction(
                        IncomingReaction(
                            session: nil, room: ArchiveFixture.lobby, target: "m\(second)",
                            sender: UserReference(key: name, name: name), text: "👍", receivedAt: at(second),
                            isRemoved: false)),
                ]
            })
        return writer
    }

    private func verify() async throws -> Verification? {
        let mirrors = try fixture.archive.reading().mirrors(of: ["demo"])
        return try Verification.of(try #require(mirrors.first), copy.connect())
    }

    private func bodies() async throws -> [String] {
        let reading = SharedArchive(try SharedAddress(copy.address)).reading()
        let page = try reading.page(try MessageQuery(scope: .accounts(["demo"]), limit: 500))
        return page.messages.compactMap(\.body)
    }

    @Test(arguments: [false, true])
    func `what a rule removes from the file stays in the shared archive without a difference`(isCopiedBefore: Bool)
        async throws
    {
        let writer = try await fill()
        if isCopiedBefore { try await copy.replicate(fixture.archive) }
        let edit = IncomingMessage(
            session: nil, room: ArchiveFixture.lobby, kind: .message,
            sender: UserReference(key: "alice", name: "alice"), body: "edited", remoteID: "m5", sourceTime: at(5),
            receivedAt: at(200), editedAt: at(200))
        _ = try await writer.append([.message(edit, .edit)])
        try await writer.apply(.keeping([.messages: .seconds(50)]), at: at(100))
        try await writer.close()
        try await copy.replicate(fixture.archive)
        #expect(try await bodies().count == (isCopiedBefore ? 100 : 50))
        let verification = try #require(try await verify())
        #expect(verification.differences.isEmpty, "\(verification.differences)")
    }

    @Test(arguments: [false, true])
    func `the shared archive forgets what the file forgets`(redacts: Bool) async throws {
        let writer = try await fill()
        try await copy.replicate(fixture.archive)
        let user: Int64 = try #require(
            try fixture.value("SELECT user_id FROM user_name WHERE name = 'mallory'"))
        let request = Forgetting(.user(user), redacts: redacts)
        var place: ForgettingPlace?
        repeat {
            place = try await writer.retention.forget(request, from: place, at: at(300)).next
        } while place != nil
        try await writer.close()
        try await copy.replicate(fixture.archive)
        let left = try await bodies()
        #expect(left.count == 90 && !left.contains("said 13"))
        let names = try copy.connect().execute("SELECT count(*) FROM scrollback.person_name WHERE name = 'mallory'")
        #expect(try names.integer(0, 0) == 0)
        #expect(try await copy.differences(from: fixture.archive) == [])
        let verification = try #require(try await verify())
        #expect(verification.differences.isEmpty, "\(verification.differences)")
    }

    private func said(_ body: String, _ second: Int64, files: [String] = [], in session: SessionID) -> ChatEvent {
        .message(
            IncomingMessage(
                session: session, room: ArchiveFixture.lobby, kind: .message,
                sender: UserReference(key: "alice", name: "alice"), body: body, remoteID: "m\(second)",
                sourceTime: at(second), receivedAt: at(second), attachments: files))
    }

    /// Leaves the words of every message as a listener of an earlier version made them.
    private func age(words: String, analyser: Int) throws {
        let server = try copy.connect()
        _ = try server.execute("UPDATE scrollback.message SET search = to_tsvector('simple', '\(words)')")
        _ = try server.execute("DELETE FROM scrollback.word")
        _ = try server.execute(
            "INSERT INTO scrollback.word SELECT account_id, word FROM scrollback.feed_position, "
                + "unnest(string_to_array('\(words)', ' ')) AS words (word)")
        _ = try server.execute(
            "UPDATE scrollback.feed_position SET analyser = \(analyser), next_analyser = \(analyser)")
    }

    @Test(arguments: [1, 7, 2000])
    func `a new version finds its words in what rules removed from the file, after any number of stops`(count: Int)
        async throws
    {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append(
            (Int64(0)..<30).map { said("Straße \($0)", $0, files: $0 % 10 == 0 ? ["/a.png"] : [], in: session) })
        try await copy.replicate(fixture.archive)
        try await writer.apply(.keeping([.messages: .seconds(10)]), at: at(30))
        try await writer.close()
        try await copy.replicate(fixture.archive)
        try age(words: "straße old", analyser: 4)
        let reading = SharedArchive(try SharedAddress(copy.address)).reading()
        func found(_ text: String) throws -> Int {
            let search = SearchScope(query: SearchQuery(parsing: text))
            return try reading.page(MessageQuery(scope: .accounts(["demo"]), limit: 500), matching: search).messages
                .count
        }
        #expect(try found("strasse") == 0)
        var (left, stops) = (Int64(1), 0)
        while left > 0 {
            // Another connection knows only what the shared archive knows.
            let replicator = Replicator(try fixture.archive.reading().mirrors(of: ["demo"]))
            left = try replicator.step(into: copy.connect(), count: count).left
            stops += 1
            let outdated = try reading.search.indexes(.accounts(["demo"])).filter(\.isOutdated).map(\.analyser)
            #expect(outdated == (left > 0 ? [4] : []))
        }
        #expect(stops > 30 / count)
        #expect(try found("strasse") == 30)
        #expect(try found("*tras*") == 30)
        #expect(try found("has:image") == 3)
        #expect(try found("old") == 0)
        #expect(Set(try words()) == Set((0..<30).map(String.init) + ["strasse"]))
        let verification = try #require(try await verify())
        #expect(verification.differences.isEmpty, "\(verification.differences)")
        #expect(try Replicator(fixture.archive.reading().mirrors(of: ["demo"])).step(into: copy.connect()).changes == 0)
    }

    @Test func `a version after the next makes the words of all messages once more`() async throws {
        let writer = try await fill()
        try await copy.replicate(fixture.archive)
        try await writer.apply(.keeping([.messages: .seconds(50)]), at: at(100))
        try await writer.close()
        try await copy.replicate(fixture.archive)
        // As if a listener of version 4 had stopped while it made the words of the last messages.
        try age(words: "old", analyser: 3)
        _ = try copy.connect().execute(
            "UPDATE scrollback.feed_position SET next_analyser = 4, renewed_to = \(Int64.max)")
        try await copy.replicate(fixture.archive, count: 20)
        let reading = SharedArchive(try SharedAddress(copy.address)).reading()
        let search = SearchScope(query: SearchQuery(parsing: "said"))
        let page = try reading.page(MessageQuery(scope: .accounts(["demo"]), limit: 500), matching: search)
        #expect(page.messages.count == 100)
        #expect(try reading.search.indexes(.accounts(["demo"])).filter(\.isOutdated).isEmpty)
    }

    private func words() throws -> [String?] {
        let rows = try copy.connect().execute("SELECT word FROM scrollback.word ORDER BY word")
        return try (0..<rows.count).map { try rows.text($0, 0) }
    }

    @Test func `words that an edit or forgetting took from every message are gone`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("zephyr 서버one", id: "a", at: 1, in: session), .said("zephyr canary", id: "b", at: 2, in: session),
            .said("quill zephyr", id: "c", at: 3, by: "mallory", in: session),
        ])
        try await copy.replicate(fixture.archive)
        #expect(try words() == ["canary", "one", "quill", "zephyr"])
        _ = try await writer.append([.said("other", id: "b", at: 2, receivedAt: 9, in: session, isLive: true)])
        try await copy.replicate(fixture.archive)
        #expect(try words() == ["one", "other", "quill", "zephyr"])
        let user: Int64 = try #require(
            try fixture.value("SELECT user_id FROM user_name WHERE name = 'mallory'"))
        let request = Forgetting(.user(user), redacts: false)
        var place: ForgettingPlace?
        repeat {
            place = try await writer.retention.forget(request, from: place, at: at(300)).next
        } while place != nil
        try await writer.close()
        try await copy.replicate(fixture.archive)
        #expect(try words() == ["one", "other", "zephyr"])
    }

    /// Returns the tables of the shared archive that have one of the texts.
    private func traces(of texts: [String]) throws -> [String] {
        let server = try copy.connect()
        let tables = try server.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'scrollback' AND table_type = 'BASE TABLE'"
        )
        return try (0..<tables.count).compactMap { try tables.text($0, 0) }.filter { table in
            try texts.contains { text in
                let found = try server.execute(
                    "SELECT count(*) FROM scrollback.\"\(table)\" AS t WHERE t::text LIKE '%\(text)%'")
                return try found.integer(0, 0) ?? 0 > 0
            }
        }
    }

    @Test func `a room that is erased from the file is erased from the shared archive`() async throws {
        let writer = try await fill()
        try await copy.replicate(fixture.archive)
        #expect(try await bodies().count == 100)
        var place: ErasingPlace?
        repeat { place = try await writer.retention.erase(room: 1, from: place, at: at(300)).next } while place != nil
        try await writer.close()
        try await copy.replicate(fixture.archive)
        #expect(try await bodies() == [])
        #expect(try traces(of: ["mallory", "said 13"]) == [])
        #expect(try await copy.differences(from: fixture.archive) == [])
        let verification = try #require(try await verify())
        #expect(verification.differences.isEmpty, "\(verification.differences)")
    }

    @Test func `the shared archive never names a forgotten person, and a file restored from it forgets again`()
        async throws
    {
        let account = AccountIdentity(name: "demo", network: "slp")
        let writer = try await fixture.archive.openWriter(account)
        let session = try await writer.openSession()
        _ = try await writer.append(ForgottenPerson.events(session))
        try await copy.replicate(fixture.archive)
        let canaries = ForgottenPerson.canaries.filter { !["canarybytes", "canarygarbled"].contains($0) }
        #expect(try !traces(of: canaries).isEmpty)
        let user: Int64 = try #require(
            try fixture.value("SELECT user_id FROM user_name WHERE name = 'malloryname'"))
        var place: ForgettingPlace?
        repeat {
            place = try await writer.retention.forget(
                Forgetting(.user(user), redacts: false), from: place, at: at(10_000)
            ).next
        } while place != nil
        try await writer.close()
        _ = try fixture.archive.erase(account: "demo")
        // The shared archive does not know yet.
        let shared = SharedArchive(try SharedAddress(copy.address))
        _ = try fixture.archive.restore(account: "demo", from: shared)
        #expect(try fixture.archive.reading().rooms(account: "demo").count == 3)
        #expect(try fixture.traces(of: canaries, ends: false) == [])
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
        try await copy.replicate(fixture.archive)
        #expect(try traces(of: canaries) == [])
        #expect(try await copy.differences(from: fixture.archive) == [])
    }
}
