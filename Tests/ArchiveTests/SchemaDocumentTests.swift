import Archive
import ChatModel
import Foundation
import GRDB
import SearchText
import TestSupport
import Testing

@Suite struct SchemaDocumentTests {
    private let fixture: ArchiveFixture
    private let document: String

    init() throws {
        fixture = try ArchiveFixture()
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/schema.md")
        document = try String(contentsOf: file, encoding: .utf8)
    }

    /// Without those that FTS5 keeps for itself.
    private static let tables = """
        (SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name <> 'sqlite_schema')
        """

    @Test func `every table and every column is in docs/schema.md`() async throws {
        try await fixture.openWriter().close()
        let names = try rows(
            """
            SELECT name, name FROM \(Self.tables) UNION ALL
            SELECT s.name, c.name FROM \(Self.tables) AS s, pragma_table_xinfo(s.name) AS c WHERE c.hidden <> 1
            """
        ).map { [String.fromDatabaseValue($0[0]), String.fromDatabaseValue($0[1])].compactMap(\.self) }
        #expect(names.count > 70)
        for name in names {
            let section = document.components(separatedBy: "\n**`").filter {
                $0.contains("`\(name[0])`") || $0.hasPrefix(name[0])
            }
            #expect(section.contains { $0.contains("`\(name[1])`") || $0.hasPrefix(name[1]) }, "\(name)")
        }
    }

    @Test func `every table that docs/schema.md names is there`() async throws {
        try await fixture.openWriter().close()
        let tables = try rows("SELECT name FROM \(Self.tables)")
            .compactMap { String.fromDatabaseValue($0[0]) }
        let named = document.matches(of: /\*\*`(\w+)`\*\*/).map { String($0.1) }
        #expect(Set(named) == Set(tables))
    }

    @Test func `the questions of docs/schema.md have answers`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("hi", at: 1, in: session), .said("you", at: 2, by: "bob", in: session),
            .said("!", at: 3, in: session),
        ])
        let end = ArchiveFixture.day.advanced(byMicroseconds: 5_000_000)
        _ = try await writer.append([.sessionEnded(session: session, at: end, reason: .stopped, detail: nil)])
        try await writer.close()

        let questions = document.matches(of: /```sql\n([^`]+)```/).map { String($0.1) }
        let answers = try questions.map { try rows($0).map { $0.map(\.description) } }
        let day = ArchiveFixture.day.microseconds
        #expect(
            answers == [
                [
                    [#""2026-11-21 00:00:00""#, #""alice""#, #""!""#],
                    [#""2026-11-21 00:00:00""#, #""bob""#, #""you""#],
                    [#""2026-11-21 00:00:00""#, #""alice""#, #""hi""#],
                ],
                [[#""alice""#, "2"], [#""bob""#, "1"]],
                [],
                [["1", "5", #""stopped""#, "NULL"]],
                [[#""lobby""#, "\(day)", "\(day + 5_000_000)"]],
            ])
    }

    /// Messages of times before the room and its people were first heard of, renames of both, edits and deletions.
    @Test(arguments: 0..<8)
    func `the questions of docs/schema.md have the answers that the program has`(seed: UInt64) async throws {
        let writer = try await fixture.openWriter()
        var random = RandomArchive(seed: seed)
        try await random.write(to: writer)
        try await backfill(seed, writer)
        try await writer.close()
        let questions = document.matches(of: /```sql\n([^`]+)```/).map { String($0.1) }
        try #require(questions.count == 5)

        let all = try await fixture.walk(.oldest, limit: 1000, query: fixture.query(room: nil))
        let said = all.filter { $0.kind == .message }
        let last = try rows(questions[0].replacing("LIMIT 10", with: "LIMIT 100000"))
        #expect(last.map { $0[1] } == said.reversed().map { ($0.sender?.name).databaseValue })
        #expect(last.map { $0[2] } == said.reversed().map { $0.body.databaseValue })
        #expect(try rows(questions[0]).elementsEqual(last.prefix(10)) { $0 == $1 })

        let people = try await fixture.archive.reading().users(scope: .accounts(["demo"]))
        let counts = Dictionary(grouping: said.compactMap(\.sender), by: \.id).map { id, messages in
            "\(people.first { $0.id == id }?.name ?? "") \(messages.count)"
        }
        let told = try rows(questions[1]).map { row in
            "\(String.fromDatabaseValue(row[0]) ?? "") \(Int.fromDatabaseValue(row[1]) ?? 0)"
        }
        #expect(told.sorted() == counts.sorted())

        let hits = try await fixture.archive.reading().page(
            fixture.query(limit: 1000, room: nil),
            matching: SearchScope(query: SearchQuery(parsing: "coffee")))
        #expect(hits.messages.count > 20)
        let found = try rows(questions[2].replacing("LIMIT 10", with: "LIMIT 100000"))
        #expect(found.map { $0[1] } == hits.messages.reversed().map { $0.body.databaseValue })

        let sessions = try rows(questions[3]).map { $0.map(\.description).joined(separator: " ") }
        var connections: [String] = []
        for message in all {
            guard case .found(let detail) = try await fixture.archive.reading().message(message.id),
                let session = detail.session
            else { continue }
            let seconds = session.lastSignOfLife.since(session.startedAt).components.seconds
            connections.append(
                [
                    session.id.rawValue.databaseValue, seconds.databaseValue, session.reason.databaseValue,
                    session.detail.databaseValue,
                ].map(\.description).joined(separator: " "))
        }
        #expect(!connections.isEmpty && Set(connections).isSubset(of: sessions))
        #expect(!sessions.contains { $0.hasPrefix("0 ") }, "an import is no connection")

        let spans = try rows(questions[4])
        let gaps = try await fixture.archive.reading().gaps(scope: .accounts(["demo"])).filter { $0.state != .imported }
        // What lies between two spans; where a room was left, a gap may end without one.
        let starts = Set(spans.map { "\($0[0]) \($0[1])" })
        let closed = gaps.compactMap { gap -> String? in
            guard let end = gap.to, starts.contains("\(gap.room.databaseValue) \(end.microseconds)") else { return nil }
            return "\(gap.room.databaseValue) \(gap.from.microseconds) \(end.microseconds)"
        }
        #expect(try self.gaps(between: spans) == closed.sorted())
    }

    /// What lies between the spans of a room.
    private func gaps(between spans: [[DatabaseValue]]) throws -> [String] {
        var gaps: [String] = []
        for (span, next) in zip(spans, spans.dropFirst()) where span[0] == next[0] {
            let (end, start) = try (
                #require(Int64.fromDatabaseValue(span[2])), #require(Int64.fromDatabaseValue(next[1]))
            )
            if end + 1 < start { gaps.append("\(span[0]) \(end) \(start)") }
        }
        return gaps.sorted()
    }

    /// What a workspace's history brings after its lists: of people and rooms that are called otherwise by now.
    private func backfill(_ seed: UInt64, _ writer: AccountWriter) async throws {
        var random = SeededGenerator(seed: seed)
        let session = try await writer.openSession(at: ArchiveFixture.day.advanced(by: .seconds(20_000)))
        for round in 0..<5 {
            let now = ArchiveFixture.day.advanced(by: .seconds(20_000 + round * 1000))
            let room = RoomReference(key: "w1", name: "general \(round)", kind: .channel)
            _ = try await writer.append(
                [.roomListed(RoomListing(room: room), at: now)]
                    + ["u1", "u2"].map { key in
                        .userListed(
                            UserListing(user: UserReference(key: key, name: "\(key) v\(round)"), picture: nil), at: now)
                    })
            for number in 0..<20 {
                let time = now.advanced(by: .seconds(-Int.random(in: 0...3000, using: &random)))
                let key = ["u1", "u2"][number % 2]
                _ = try await writer.append([
                    .message(
                        IncomingMessage(
                            session: session, room: room, kind: .message,
                            sender: UserReference(key: key, name: "\(key) v\(round)"),
                            body: "coffee \(round) \(number)",
                            remoteID: "w\(round)x\(number)", sourceTime: time, receivedAt: now), .snapshot)
                ])
            }
        }
        let end = ArchiveFixture.day.advanced(by: .seconds(26_000))
        _ = try await writer.append([
            .deleted(
                MessageDeletion(
                    session: session, room: RoomReference(key: "w1", name: "general 4", kind: .channel),
                    remoteID: "w1x1", receivedAt: end)),
            .sessionEnded(session: session, at: end, reason: .stopped, detail: nil),
        ])
    }

    private func rows(_ sql: String) throws -> [[DatabaseValue]] {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: try fixture.file(), configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { db in try Row.fetchAll(db, sql: sql).map { Array($0.databaseValues) } }
    }
}
