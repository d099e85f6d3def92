import Archive
import ChatModel
import Foundation
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Reading
@testable import Writing

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

    @Test(.disabled(if: QuickCheck.isRunning))
    func `docs/schema.md has every table and every column`() async throws {
        try await fixture.openWriter().close()
        let names = try rows(
            """
            SELECT name, name FROM \(Self.tables) UNION ALL
            SELECT s.name, c.name FROM \(Self.tables) AS s, pragma_table_xinfo(s.name) AS c WHERE c.hidden <> 1
            """
        ).map { [String(databaseValue: $0[0]), String(databaseValue: $0[1])].compactMap(\.self) }
        #expect(names.count > 70)
        for name in names {
            let section = document.components(separatedBy: "\n**`").filter {
                $0.contains("`\(name[0])`") || $0.hasPrefix(name[0])
            }
            #expect(section.contains { $0.contains("`\(name[1])`") || $0.hasPrefix(name[1]) }, "\(name)")
        }
    }

    @Test func `.schema shows every column on a line with its comment`() async throws {
        try await fixture.openWriter().close()
        let columns = try rows(
            """
            SELECT t.name, t.sql, c.name FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c
            WHERE t.type IN ('table', 'view') AND t.name NOT LIKE 'message_search_%' AND c.hidden <> 1
            """
        ).map { $0.compactMap { String(databaseValue: $0) } }
        #expect(columns.count >= 200)
        for column in columns {
            let (lines, name) = (column[1].split(separator: "\n"), column[2])
            // A column that a migration added is in the last line: `, name TEXT /* comment */`.
            let isAdded = lines.last?.split(separator: "*/").contains {
                $0.hasPrefix(", \(name) ") && $0.contains(" /* ")
            }
            if isAdded == true { continue }
            let aliases = ["m", "r", "u", "g", "a", "f"].map { "  \($0).\(name)" }
            let place = try #require(
                lines.firstIndex { line in
                    let start = line.prefix { $0 != "," }.trimmingPrefix(/\s+/).prefix { $0 != " " }
                    return line.hasPrefix("  ") && !line.hasPrefix("   ") && start == name
                        || aliases.contains { line == $0 || line.hasPrefix($0 + " ") || line.hasPrefix($0 + ",") }
                        || [" ", ","].contains { line.contains(" AS \(name)\($0)") } && line.contains(" -- ")
                }, "\(column[0]).\(name)")
            let isKey = lines[place].contains("REFERENCES") || lines[place].contains("INTEGER PRIMARY KEY")
            let isBelow = lines.dropFirst(place + 1).first.map { $0.hasPrefix("    ") && $0.contains("-- ") } ?? false
            #expect(lines[place].contains(" -- ") || isKey || isBelow, "\(column[0]).\(name)")
        }
    }

    @Test func `every table in docs/schema.md exists`() async throws {
        try await fixture.openWriter().close()
        let tables = try rows("SELECT name FROM \(Self.tables)")
            .compactMap { String(databaseValue: $0[0]) }
        let named = document.matches(of: /\*\*`(\w+)`\*\*/).map { String($0.1) }
        #expect(Set(named) == Set(tables))
    }

    private var questions: [String] { document.matches(of: /```sql\n([^`]+)```/).map { String($0.1) } }

    @Test func `the queries of docs/schema.md have results`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("hi", at: 1, in: session), .said("you", at: 2, by: "bob", in: session),
            .said("coffee!", at: 3, in: session),
        ])
        let end = ArchiveFixture.day.advanced(byMicroseconds: 5_000_000)
        _ = try await writer.append([.sessionEnded(session: session, at: end, reason: .stopped, detail: nil)])
        try await writer.close()

        let answers = try questions.map { try rows($0).map { $0.map { "\($0)".replacing("\"", with: "") } } }
        let day = ArchiveFixture.day.microseconds
        func at(_ offset: Int64) -> String { ArchiveFixture.day.advanced(byMicroseconds: offset).description }
        let said = [
            [at(3), "lobby", "alice", "coffee!"], [at(2), "lobby", "bob", "you"], [at(1), "lobby", "alice", "hi"],
        ]
        #expect(answers.first == said)
        #expect(answers[1] == said.map { [$0[0], $0[2], $0[3]] })
        #expect(answers[2] == said)
        #expect(answers[3] == said.reversed())
        #expect(answers[4] == [["alice", "2"], ["bob", "1"]])
        #expect(answers[5] == [["2026-11-21", "lobby", "3"]])
        #expect(answers[6] == [said[0]])
        #expect(answers[7].map { $0.prefix(3) } == [["lobby", at(5_000_000), "NULL"]])
        #expect(
            Array(answers[8...]) == [
                [["1", "5", "stopped", "NULL"]], [["lobby", "\(day)", "\(day + 5_000_000)"]], [],
            ])
    }

    /// Messages of times before the room and its people were first heard of, renames of both, edits and deletions.
    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<4)
    func `the queries of docs/schema.md give the program's answers`(seed: UInt64) async throws {
        let writer = try await fixture.openWriter()
        var random = RandomArchive(seed: seed)
        try await random.write(to: writer)
        try await writer.backfill(seed: seed)
        try await writer.close()
        try #require(questions.count == 11)
        try await checkMessages()
        try await checkPeopleAndHits()
        try await checkSessions()
        try await checkSpans()
    }

    /// The rows of a question, of as many as there are.
    private func rows(ofQuestion number: Int, room: String = "lobby") throws -> [[DatabaseValue]] {
        try rows(
            questions[number].replacing("LIMIT 10", with: "LIMIT 100000").replacing("'lobby'", with: "'\(room)'"))
    }

    private func checkMessages() async throws {
        let all = try await fixture.walk(.oldest, limit: 1000, query: fixture.query(room: nil))
        let said = all.filter { !$0.kind.isNoise }
        func row(_ message: Message) -> [DatabaseValue] {
            [
                message.id.time.description.databaseValue, message.room.databaseValue,
                (message.sender?.name).databaseValue, message.body.databaseValue,
            ]
        }
        #expect(try rows(ofQuestion: 0) == said.reversed().map(row))
        #expect(try rows(questions[0]) == said.suffix(10).reversed().map(row))

        let room = try #require(
            try fixture.archive.reading().rooms().first { room in
                said.contains { $0.roomID == room.id } && room.name.hasPrefix("general")
            })
        let here = said.filter { $0.roomID == room.id }
        #expect(Set(here.map(\.room)).count > 1, "the room was renamed")
        for name in Set(said.map(\.room)) {
            let named = said.filter { $0.room == name }.reversed().map {
                row($0).enumerated().filter { $0.offset != 1 }
            }
            #expect(
                try rows(ofQuestion: 1, room: name) == named.map { $0.map(\.element) }, "\(name)")
        }
        #expect(try rows(ofQuestion: 2, room: room.name) == here.reversed().map(row))
        let day = ArchiveFixture.day.microseconds..<ArchiveFixture.day.advanced(by: .seconds(86_400)).microseconds
        #expect(try rows(ofQuestion: 3) == said.filter { day.contains($0.id.microseconds) }.map(row))
        #expect(try rows(ofQuestion: 5).compactMap { Int(databaseValue: $0[2]) }.reduce(0, +) == said.count)
    }

    private func checkPeopleAndHits() async throws {
        let all = try await fixture.walk(.oldest, limit: 1000, query: fixture.query(room: nil))
        let people = try fixture.archive.reading().users(scope: .accounts(["demo"]))
        let senders = all.filter { !$0.kind.isNoise }.compactMap(\.sender)
        let counts = Dictionary(grouping: senders, by: \.id).map { id, messages in
            "\(people.first { $0.id == id }?.name ?? "") \(messages.count)"
        }
        let told = try rows(ofQuestion: 4).map { row in
            "\(String(databaseValue: row[0]) ?? "") \(Int(databaseValue: row[1]) ?? 0)"
        }
        #expect(told.sorted() == counts.sorted())

        let hits = try fixture.archive.reading().page(
            fixture.query(limit: 1000, room: nil),
            matching: SearchScope(query: SearchQuery(parsing: "coffee")))
        #expect(hits.messages.count > 20)
        #expect(try rows(ofQuestion: 6).map { $0[3] } == hits.messages.reversed().map { $0.body.databaseValue })
    }

    private func checkSessions() async throws {
        let sessions = try rows(questions[8]).map { $0.map(\.description).joined(separator: " ") }
        var connections: [String] = []
        for message in try await fixture.walk(.oldest, limit: 1000, query: fixture.query(room: nil)) {
            guard case .found(let detail) = try fixture.archive.reading().message(message.id),
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
    }

    private func checkSpans() async throws {
        let spans = try rows(questions[9])
        let gaps = try fixture.archive.reading().gaps(scope: .accounts(["demo"])).filter { $0.state != .imported }
        // What lies between two spans; where a room was left, a gap may end without one.
        let starts = Set(spans.map { "\($0[0]) \($0[1])" })
        let closed = gaps.compactMap { gap -> String? in
            guard let end = gap.to, starts.contains("\(gap.room.databaseValue) \(end.microseconds)") else { return nil }
            return "\(gap.room.databaseValue) \(gap.from.microseconds) \(end.microseconds)"
        }
        #expect(try self.gaps(between: spans) == closed.sorted())
        let lasting = gaps.filter { $0.state != .ended }.map(\.room.databaseValue.description)
        #expect(try rows(ofQuestion: 7).map { $0[0].description }.sorted() == lasting.sorted())
    }

    /// What lies between the spans of a room.
    private func gaps(between spans: [[DatabaseValue]]) throws -> [String] {
        var gaps: [String] = []
        for (span, next) in zip(spans, spans.dropFirst()) where span[0] == next[0] {
            let (end, start) = try (
                #require(Int64(databaseValue: span[2])), #require(Int64(databaseValue: next[1]))
            )
            if end + 1 < start { gaps.append("\(span[0]) \(end) \(start)") }
        }
        return gaps.sorted()
    }

    private func rows(_ sql: String) throws -> [[DatabaseValue]] {
        let queue = try DatabaseQueue(path: try fixture.file(), isReadOnly: true)
        defer { try? queue.close() }
        return try queue.read { db in try db.allRows(sql: sql) { $0.values } }
    }
}
