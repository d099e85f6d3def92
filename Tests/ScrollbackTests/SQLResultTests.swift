import Archive
import ChatModel
import Foundation
import Options
import SQLQueries
import Testing

@testable import Rendering
@testable import Scrollback

struct SQLResultTests {
    private let rows: [[SQLCell]] = [
        [.text("a,\"b\"\u{1B}"), .integer(-5), .real(0.5), .null, .blob([0, 255])],
        [.text("=1+1"), .integer(.max), .real(-.infinity), .text(""), .blob([])],
    ]
    private let columns = ["text", "integer", "real", "null", "blob"]

    private func render(_ format: OutputFormat, parts: [[[SQLCell]]], hasMore: Bool = false) -> String {
        var result = SQLResult(columns: columns, format: format, style: .plain, width: nil)
        let text = parts.map { result.render($0) }.joined()
        return text + result.end(hasMore: hasMore, leftOut: [])
    }

    @Test func `JSON keeps every digit, and is one document for any number of parts`() throws {
        let whole = render(.json, parts: [rows], hasMore: true)
        #expect(
            whole == #"""
                {"columns": ["text", "integer", "real", "null", "blob"], "rows": [{"text": "a,\"b\"\u001b", "integer": -5, \#
                "real": 0.5, "null": null, "blob": "x'00ff'"}, {"text": "=1+1", "integer": 9223372036854775807, \#
                "real": -9e999, "null": "", "blob": "x''"}], "has_more": true, "left_out": []}

                """#)
        #expect(render(.json, parts: rows.map { [$0] }, hasMore: true) == whole)
        #expect(render(.json, parts: [rows, []], hasMore: true) == whole)
        #expect(
            render(.json, parts: [[]]) == #"""
                {"columns": ["text", "integer", "real", "null", "blob"], "rows": [], "has_more": false, "left_out": []}

                """#)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(render(.json, parts: [[]]).utf8)) }
    }

    @Test func `JSON lines have one object per row`() {
        let lines = render(.jsonl, parts: [rows]).split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix(#"{"text": "a,\"b\"\u001b", "integer": -5, "#))
    }

    @Test func `CSV guards texts and keeps numbers unchanged`() {
        let expected = """
            text,integer,real,null,blob\r
            "a,""b""\\u{1B}",-5,0.5,,x'00ff'\r
            '=1+1,9223372036854775807,-9e999,,x''\r

            """
        #expect(render(.csv, parts: [rows]) == expected)
        #expect(render(.csv, parts: rows.map { [$0] }) == expected)
        #expect(render(.csv, parts: [[]]) == "text,integer,real,null,blob\r\n")
    }

    @Test func `text is a table with numbers on the right and no control characters`() {
        #expect(
            render(.text, parts: [rows]) == """
                text                     integer    real  null  blob
                a,"b"\\u{1B}                   -5     0.5  NULL  x'00ff'
                =1+1         9223372036854775807  -9e999        x''

                """)
        #expect(render(.text, parts: [[]]) == "")
    }

    @Test func `a mistake gets a suggestion`() {
        func hint(_ kind: SQLQueryError.Kind, in statement: String = "") -> String? {
            SQLFailure(SQLQueryError(kind, "x"), in: statement).error.hint
        }
        #expect(hint(.unknownTable("mesages")) == "did you mean messages?")
        #expect(hint(.unknownColumn("m.bdy")) == "did you mean body?")
        #expect(hint(.unknownColumn("lobby"), in: #"WHERE room = "lobby""#) == "a text is in single quotes: 'lobby'")
        #expect(hint(.unknownFunction("lokal")) == "did you mean local?")
        #expect(hint(.unknownTable("zzzzzzzzzzzz")) == "the views: scrollback sql --schema")
        let error = SQLFailure(SQLQueryError(.statement, "near \"\u{1B}\": syntax error"), in: "").error
        #expect(error.sentence == #"near "\u{1B}": syntax error; docs/sql.md has examples [sql]"#)
    }

    @Test func `the schema has every view with its columns and an example`() {
        let text = SQLSchemaText.text(style: .plain, width: nil)
        for view in SQLView.all {
            #expect(text.contains("  Example: \(view.example)\n"))
            for column in view.columns { #expect(text.contains("  \(column.name) ")) }
        }
        let lines = SQLSchemaText.listing.render(SQLSchemaText.columns, format: .csv)
        #expect(lines.hasPrefix("view,column,type,about,example\r\nmessages,account,TEXT,The account's name,"))
    }

    @Test func `a zone can be behind UTC`() throws {
        for zone in [["--timezone", "-09:30"], ["--timezone=-09:30"]] {
            let command = try ScrollbackCommand.parseAsRoot(["sql", "SELECT 1"] + zone)
            #expect((command as? SQLCommand)?.timezone == "-09:30")
        }
    }

    @Test(arguments: [
        (["sql", "SELECT 1", "--utc", "--timezone", "UTC"], "can't be combined"),
        (["sql", "SELECT 1", "--timezone", "Nowhere/City"], "no time zone \"Nowhere/City\""),
        (["sql", "SELECT 1", "--timeout", "0"], "1 to 86400"), (["sql", "SELECT 1", "-n", "1001"], "1 to 1000"),
        (["sql", "--schema", "SELECT 1"], "takes no statement"), (["sql", "SELECT 1", "SELECT 2"], "SELECT 2"),
    ])
    func `each invalid command line is refused with a reason`(arguments: [String], reason: String) throws {
        let error = try #require(throws: (any Error).self) { try ScrollbackCommand.parseAsRoot(arguments) }
        #expect(ExitCode(for: error).rawValue == 64)
        #expect(CommandPath(ScrollbackCommand.self, arguments).text(of: error).contains(reason))
    }
}
