import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SQLEndToEndTests {
    private let scrollback: Program

    init() throws {
        scrollback = try Program()
    }

    private func fill() async throws {
        try await StoredRoom.store(
            [.init(name: "alice", text: "coffee"), .init(name: "bob", text: "안녕\u{1B}[2J")], as: "one", for: scrollback)
        try await StoredRoom.store([.init(name: "alice", text: "tea")], as: "two", for: scrollback)
    }

    private func sql(_ words: String...) async throws -> Run.Result {
        try await scrollback.start(arguments: ["sql"] + words).result()
    }

    @Test func `a statement is answered over all accounts in each format`() async throws {
        try await fill()
        let statement = "SELECT account, sender, body FROM messages ORDER BY id, account"
        let text = try await sql(statement)
        #expect(
            text.output == """
                account  sender  body
                one      alice   coffee
                two      alice   tea
                one      bob     안녕\\u{1B}[2J

                """)
        #expect(text.status == 0 && text.errors.isEmpty, "\(text.errors)")
        let json = try await sql("SELECT sender, count(*) AS n FROM messages GROUP BY sender", "--format", "json")
        #expect(
            json.output == #"""
                {"columns": ["sender", "n"], "rows": [{"sender": "alice", "n": 2}, {"sender": "bob", "n": 1}], \#
                "has_more": false, "left_out": []}

                """#)
        #expect(
            try await sql(statement, "-a", "two", "--format", "csv").output
                == "account,sender,body\r\ntwo,alice,tea\r\n")
        let nothing = try await sql("SELECT 1 WHERE 0")
        #expect(nothing.status == 0 && nothing.output.isEmpty && nothing.errors == "0 rows\n", "\(nothing.errors)")
        let header = try await sql("SELECT 1 AS n WHERE 0", "--format", "csv")
        #expect(header.output == "n\r\n" && header.errors.isEmpty)
        let local = try await sql(
            "SELECT local(min(id)) AS t FROM messages", "--timezone", "Asia/Seoul", "--format", "jsonl")
        #expect(local.output == "{\"t\": \"2026-11-21 09:00:01.000000\"}\n")
    }

    @Test func `the statement can come from standard input`() async throws {
        try await fill()
        for shell in [#"echo 'SELECT count(*) AS n FROM messages;' | "$@""#, #"echo 'SELECT 3 AS n' | "$@" -"#] {
            let result = try await scrollback.start(arguments: ["sql", "--format", "csv"], shell: shell).result()
            #expect(result.output == "n\r\n3\r\n", "\(result.errors)")
        }
        let empty = try await scrollback.start(arguments: ["sql"], shell: #""$@" < /dev/null"#).result()
        #expect(empty.status == 64 && empty.errors.contains("give a statement"))
    }

    @Test func `rows are limited with a note, and -n all shows all`() async throws {
        try await fill()
        let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) SELECT i FROM n"
        let limited = try await sql(numbers)
        #expect(limited.output.split(separator: "\n").count == 1001)
        #expect(limited.errors == "there are more than 1,000 rows; for all: -n all\n")
        let some = try await sql(numbers, "-n", "2", "--format", "json")
        #expect(some.output.hasSuffix(#""rows": [{"i": 1}, {"i": 2}], "has_more": true, "left_out": []}"# + "\n"))
        let all = try await sql(numbers, "-n", "all", "--format", "csv")
        #expect(all.output.split(separator: "\r\n").count == 2501 && all.errors.isEmpty)
        #expect(try await sql(numbers + " LIMIT 1000").errors.isEmpty)
    }

    @Test func `a mistake has its code, its place and advice`() async throws {
        try await fill()
        let column = try await sql("SELECT bdy FROM messages")
        #expect(
            column.errors == "scrollback: no such column: bdy (line 1, character 8); did you mean body? [sql]\n")
        #expect(column.status == 1 && column.output.isEmpty)
        #expect(try await sql("DELETE FROM messages").errors.contains("this command only reads"))
        #expect(try await sql("SELECT 1; SELECT 2").errors.contains("give one SELECT statement [sql]"))
        #expect(try await sql("SELECT 1", "--archive", "postgres://x/y").errors.contains("[shared-archive]"))
        #expect(try await sql("SELECT 1", "-a", "none").errors.contains("[unknown-account]"))
    }

    @Test func `a statement or function without an end is stopped`() async throws {
        try await fill()
        for statement in [
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
            "SELECT instr(hex(zeroblob(2000000)), hex(zeroblob(1000000)) || '1')",
        ] {
            let result = try await sql(statement, "--timeout", "1")
            #expect(
                result.errors
                    == "scrollback: stopped after 1 s; select less, or raise the limit with --timeout [stopped]\n")
            #expect(result.status == 1 && result.output.isEmpty)
        }
    }

    @Test func `a statement can't use all memory`() async throws {
        let blobs = Array(repeating: "randomblob(4000000)", count: 100).joined(separator: ", ")
        let result = try await sql("SELECT \(blobs)")
        #expect(result.errors.hasSuffix("; select less [sql]\n"), "\(result.errors)")
        #expect(result.status == 1)
    }

    @Test func `compressed accounts are skipped with a note, and included with --cold`() async throws {
        try await fill()
        #expect(try await scrollback("archive", "compress", "one").status == 0)
        let count = "SELECT count(*) AS n FROM messages"
        let skipped = try await sql(count, "--format", "csv")
        #expect(skipped.output == "n\r\n1\r\n")
        #expect(skipped.errors == "scrollback: skipped 'one' (compressed); add --cold to include it\n")
        #expect(try await sql(count, "--format", "csv", "--cold").output == "n\r\n3\r\n")
        #expect(try await sql(count, "--format", "csv", "-a", "one").output == "n\r\n2\r\n")
    }

    @Test func `showing the schema needs no archive`() async throws {
        let schema = try await sql("--schema")
        #expect(schema.status == 0 && schema.output.contains("  Example: SELECT at, room, sender, body FROM messages"))
        let none = try await sql("SELECT count(*) FROM messages", "--format", "csv")
        #expect(none.output == "count(*)\r\n0\r\n" && none.errors.hasPrefix("no accounts in "), "\(none.errors)")
    }
}
