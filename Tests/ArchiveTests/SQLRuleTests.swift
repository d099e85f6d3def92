import ChatModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Files
@testable import SQLQueries
@testable import Writing

/// What an SQL statement may do, and how it ends.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SQLRuleTests {
    private let fixture: SQLFixture

    init() throws {
        fixture = try SQLFixture()
    }

    private func error(_ sql: String, limit: ReadLimit = ReadLimit()) async throws -> SQLQueryError? {
        await #expect(throws: SQLQueryError.self) { try await fixture.rows(sql, limit: limit) }
    }

    @Test(arguments: [
        "INSERT INTO messages (account) VALUES (1)", "DELETE FROM messages", "UPDATE rooms SET name = 1",
        "CREATE TABLE x (y)", "CREATE TEMP TABLE x (y)", "CREATE VIEW x AS SELECT 1", "CREATE TEMP VIEW x AS SELECT 1",
        "CREATE VIRTUAL TABLE x USING fts5(y)", "CREATE VIRTUAL TABLE temp.x USING messages", "DROP TABLE messages",
        "ATTACH 'FILE' AS x", "DETACH main", "PRAGMA user_version", "PRAGMA temp_store_directory = '/tmp'",
        "SELECT * FROM pragma_database_list", "SELECT name FROM sqlite_schema", "SELECT * FROM dbstat",
        "SELECT load_extension('x')", "SELECT fts3_tokenizer('simple')", "SELECT fts5(1)", "VACUUM",
        "VACUUM INTO 'FILE'", "BEGIN", "COMMIT", "SAVEPOINT x", "ANALYZE", "REINDEX",
        "WITH x AS (SELECT 1) INSERT INTO messages SELECT * FROM x",
    ])
    func `every statement except reading is refused`(sql: String) async throws {
        let file = fixture.fixture.archive.folder + "/file"
        let kind = try #require(try await error(sql.replacing("FILE", with: file))).kind
        switch kind {
        // A function, a table or a module that SQLite lacks.
        case .refused, .unknownFunction, .unknownTable, .statement: break
        default: Issue.record("\(kind)")
        }
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test(arguments: [
        ("SELECT readfile('/etc/passwd')", SQLQueryError.Kind.unknownFunction("readfile")),
        ("SELECT writefile('x', 'y')", .unknownFunction("writefile")),
        ("SELECT * FROM mesages", .unknownTable("mesages")),
        ("SELECT bdy FROM messages", .unknownColumn("bdy")), (#"SELECT "lobby""#, .unknownColumn("lobby")),
        ("SELECT m.bdy FROM messages m", .unknownColumn("m.bdy")),
        ("SELECT rowid FROM messages", .unknownColumn("rowid")),
        ("SELEC 1", .statement), ("SELECT ?", .statement), ("SELECT :name", .statement), ("SELECT", .statement),
        ("", .count), (" -- nothing", .count), ("SELECT 1; SELECT 2", .count), ("SELECT 1; DROP TABLE x", .count),
        ("SELECT 1; nonsense", .count), ("SELECT 1\0", .statement), ("SELECT load_extension('x')", .refused),
        ("SELECT randomblob(1e9)", .size), ("SELECT zeroblob(1000000000)", .size),
        ("SELECT hex(zeroblob(3000000))", .size), ("SELECT replace(hex(zeroblob(1000000)), '0', 'aaaa')", .size),
        ("SELECT * FROM hits WHERE words MATCH 'text :'", .statement),
        ("SELECT id FROM messages WHERE body MATCH 'x'", .statement),
    ])
    func `each mistake has its kind`(sql: String, kind: SQLQueryError.Kind) async throws {
        try await fixture.fixture.openWriter().close()
        #expect(try await error(sql)?.kind == kind)
    }

    @Test func `an error about MATCH names the view where it works`() async throws {
        let error = try await error("SELECT id FROM messages WHERE body MATCH 'x'")
        #expect(error?.detail.contains("the column words of the view hits") == true, "\(error?.detail ?? "")")
    }

    @Test func `a mistake has its line and column`() async throws {
        #expect(try await error("SELECT id,\n  '서버', bdy FROM messages")?.place == .init(line: 2, column: 9))
        #expect(try await error("SELECT 1;\n SELECT 2")?.place == .init(line: 2, column: 2))
        #expect(try await error("SELEC 1")?.place == .init(line: 1, column: 1))
    }

    @Test func `deep, wide and long statements are errors`() async throws {
        let deep = String(repeating: "(", count: 3000) + "1" + String(repeating: ")", count: 3000)
        let sums = "SELECT " + Array(repeating: "1", count: 3000).joined(separator: " + ")
        let wide = "SELECT " + Array(repeating: "1", count: 3000).joined(separator: ", ")
        let selects = Array(repeating: "SELECT 1", count: 300).joined(separator: " UNION ALL ")
        let long = "SELECT '" + String(repeating: "x", count: 100_000) + "'"
        let nested = String(repeating: "SELECT * FROM (", count: 600) + "SELECT 1" + String(repeating: ")", count: 600)
        let pattern = "SELECT 'x' LIKE '" + String(repeating: "%a", count: 1000) + "'"
        let tables = "SELECT 1 FROM " + Array(repeating: "messages", count: 70).joined(separator: ", ")
        for sql in [sums, wide, selects, long, pattern, tables] { _ = try await error(sql) }
        // An error or 1, depending on SQLite's version.
        for sql in ["SELECT " + deep, nested] { _ = try? await fixture.rows(sql) }
    }

    @Test func `one statement can end with semicolons and comments`() async throws {
        for sql in ["SELECT 1", "SELECT 1;", "SELECT 1 ; ; -- end", "/* a */ SELECT 1; /* b */ ;\n-- c\n"] {
            #expect(try await fixture.rows(sql) == [["1"]])
        }
    }

    @Test(arguments: [
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0",
        "SELECT count(*) FROM messages a, messages b, messages c, messages d, messages e, messages f, messages g",
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i FROM n JOIN rooms WHERE i % 1000000000 = 999999999
        """,
    ])
    func `a statement without an end is stopped`(sql: String) async throws {
        let writer = try await fixture.fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((1...50).map { .said("x", at: $0, in: session) })
        try await writer.close()
        // Each question for the time takes a tenth of a second of this clock.
        let (start, asked) = (ContinuousClock.now, Watched(0))
        let limit = ReadLimit {
            start
                + .milliseconds(
                    100
                        * asked.change {
                            $0 += 1; return $0
                        })
        }
        limit.end(in: 5)
        let error = await #expect(throws: ArchiveError.self) { try await fixture.rows(sql, limit: limit) }
        #expect(error?.code == .stopped)
    }

    @Test func `values are unchanged from SQLite, and column names are unique`() async throws {
        let archive = fixture.fixture.archive
        let query = try SQLQuery(
            """
            SELECT NULL, -9223372036854775808, 9223372036854775807, 0.1, 9e999, 'a\u{1B}b', x'00ff', 1 AS x, 2 AS x, '' AS y
            """, in: archive.reading(), limit: ReadLimit(), zone: .gmt)
        #expect(query.columns.suffix(3) == ["x", "x_2", "y"])
        #expect(
            try query.next() == [
                .null, .integer(.min), .integer(.max), .real(0.1), .real(.infinity), .text("a\u{1B}b"),
                .blob([0, 255]), .integer(1), .integer(2), .text(""),
            ])
        #expect(try query.next() == nil && query.next() == nil)
    }

    @Test func `local times follow the rules of the zone`() async throws {
        let berlin = try #require(Zone(identifier: "Europe/Berlin"))
        func value(_ sql: String) async throws -> String? {
            try await fixture.rows("SELECT " + sql, zone: berlin).first?.first
        }
        // Summer time ends at 2026-10-25 01:00 UTC, and begins at 2026-03-29 01:00 UTC.
        for (utc, local) in [
            ("2026-10-25T00:59:59.999999Z", "2026-10-25 02:59:59.999999"),
            ("2026-10-25T01:00:00.000000Z", "2026-10-25 02:00:00.000000"),
            ("2026-03-29T00:59:59.000001Z", "2026-03-29 01:59:59.000001"),
            ("2026-03-29T01:00:00.000000Z", "2026-03-29 03:00:00.000000"),
            ("2026-11-21T23:30:00.000000Z", "2026-11-22 00:30:00.000000"),
            ("1969-12-31T23:59:59.999999Z", "1970-01-01 00:59:59.999999"),
        ] {
            let time = try #require(Timestamp(cursor: utc)).microseconds
            #expect(try await value("local('\(utc)')") == local)
            #expect(try await value("local(\(time))") == local)
        }
        for (given, local) in [
            ("'2026-11-21'", "2026-11-21 01:00:00.000000"), ("'2026-11-21 06:23'", "2026-11-21 07:23:00.000000"),
            ("'2026-11-21 06:23:11'", "2026-11-21 07:23:11.000000"),
            ("'2026-11-21T06:23:11.5Z'", "2026-11-21 07:23:11.500000"),
            ("'2026-11-21 06:23:11.1234567'", "2026-11-21 07:23:11.123456"),
            ("'2026-11-21 15:23:11+09:00'", "2026-11-21 07:23:11.000000"),
            ("datetime('2026-11-21', '+1 hour')", "2026-11-21 02:00:00.000000"),
            ("date('2026-11-21', '-1 day')", "2026-11-20 01:00:00.000000"),
            ("strftime('%Y-%m-%d %H:%M:%f', '2026-11-21')", "2026-11-21 01:00:00.000000"),
            ("'now'", "2026-11-21 01:00:00.000000"),
        ] {
            #expect(try await value("local(\(given))") == local, "\(given)")
        }
        #expect(try await value("local(NULL)") == "NULL")
        #expect(try await value("local(\(Int64.max))") == "NULL")
        #expect(try await value("us('2026-11-21 01:00')") == String(ArchiveFixture.day.microseconds))
        #expect(try await value("us('1d')") == String(ArchiveFixture.day.microseconds - 86_400_000_000))
        #expect(try await error("SELECT us('soon')")?.kind == .statement)
        for value in ["'soon'", "9e999", "x'00'", "'2026-02-30'", "'2026-11-21 25:00'", "'2026-11-21 06:23:60'", "''"] {
            #expect(try await error("SELECT local(\(value))")?.kind == .statement)
        }
    }

    @Test func `a listener stores messages while a statement runs, which doesn't see them`() async throws {
        let writer = try await fixture.fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((1...9).map { .said("x", at: $0, in: session) })
        let archive = fixture.fixture.archive
        do {
            let query = try SQLQuery(
                "SELECT id, (SELECT count(*) FROM messages b WHERE b.id > messages.id * 0) FROM messages",
                in: archive.reading(), limit: ReadLimit(), zone: .gmt)
            var counts: [SQLCell] = [try query.next()?[1] ?? .null]
            _ = try await writer.append((10...19).map { .said("y", at: $0, in: session) })
            while let row = try query.next() { counts.append(row[1]) }
            #expect(counts == Array(repeating: .integer(9), count: 9))
        }
        #expect(try await fixture.rows("SELECT count(*) FROM messages") == [["19"]])
        try await writer.close()
    }
}
