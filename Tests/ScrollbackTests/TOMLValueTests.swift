import Testing

@testable import Settings

struct TOMLValueTests {
    private typealias Place = TOMLValue.Place

    private func read(_ text: String) throws -> TOMLValue { try TOMLValue(reading: text) }

    private func error(_ text: String) throws -> TOMLError {
        try #require(throws: TOMLError.self) { try TOMLValue(reading: text) }
    }

    private let text =
        #"""
        # a comment with [table] and key = 1
        data = "x" # [account]

        rooms = [ # [[account]]
            "a", 'b]',
            "c\"]"
        ]
        text = """
        [[account]]
        name = 1""""

        [[account]]
        name = "one"
        "nick" = '한국'
        keys = { a = 1, b = [2,
            3] }
          [account.deep]
          x.y = 1

        [["account"]]
        name = '''
        it's'''
        nick = "two"
        [[account.rooms]]
        key = 1
        [[account.rooms]]
        key = 2
        """#

    @Test(arguments: [
        (["data"], 2), (["rooms"], 4), (["rooms", "3"], 6), (["text"], 8), (["account"], 12), (["account", "1"], 12),
        (["account", "1", "name"], 13), (["account", "1", "nick"], 14), (["account", "1", "keys"], 15),
        (["account", "1", "keys", "b", "2"], 16), (["account", "1", "deep"], 17),
        (["account", "1", "deep", "x", "y"], 18), (["account", "2"], 20), (["account", "2", "name"], 21),
        (["account", "2", "nick"], 23), (["account", "2", "rooms", "1", "key"], 25),
        (["account", "2", "rooms", "2", "key"], 27),
    ])
    func `each table and each key has its line`(path: [String], line: Int) throws {
        #expect(try read(text).line(of: path) == line)
    }

    @Test func `a path without a value has the line of the value around it`() throws {
        let value = try read(text)
        #expect(value.line(of: ["account", "2", "missing"]) == 20)
        #expect(value.line(of: ["account", "3", "name"]) == 12)
        #expect(value.line(of: ["account", "0"]) == 12)
        #expect(value.line(of: ["data", "1"]) == 2)
        #expect(value.line(of: ["nothing"]) == nil)
        #expect(try read("account = [{ name = 1 },\n{}]").line(of: ["account", "2", "name"]) == 2)
        #expect(try read("").line(of: []) == nil)
    }

    @Test func `a table that is opened after the tables in it has the line of its own header`() throws {
        let value = try read("[p.q]\nz = 1\n[p]\ny = 1\n")
        #expect(value.line(of: ["p"]) == 3)
        #expect(value.line(of: ["p", "q"]) == 1)
    }

    @Test(arguments: ["\n", "\r\n"])
    func `values have a line and a column`(lineBreak: String) throws {
        let text = ["\u{FEFF}\"우리\" = \"한국\" # 한국", "  a . b = { 'c' = [ 1, 2 ] }", "[[t]]"]
        let value = try read(text.joined(separator: lineBreak))
        #expect(value["우리"]?.place == Place(line: 1, column: 8))
        #expect(
            value["a"]?["b"]?["c"]?.array?.map(\.place) == [Place(line: 2, column: 21), Place(line: 2, column: 24)])
        #expect(value["t"]?.array?.first?.place == Place(line: 3, column: 1))
    }

    @Test func `each kind of value is read`() throws {
        let value = try read(
            """
            string = "a\\u0000\\n우리"
            integers = [0x7FFFFFFFFFFFFFFF, -9223372036854775808, 1_000, 0o17, 0b1]
            numbers = [-0.5e-3, +inf, 1e2]
            booleans = [true, false]
            times = [1979-05-27, 07:32:00.5, 1979-05-27T07:32:00Z, 1979-05-27 07:32:00-07:00, 1979-05-27 07:32:00]
            empty = [{}, [], "", '']
            """)
        func contents(_ key: String) -> [TOMLValue.Content]? { value[key]?.array?.map(\.content) }
        #expect(value["string"]?.string == "a\0\n우리")
        #expect(value["integers"]?.array?.map(\.integer) == [.max, .min, 1000, 15, 1])
        #expect(contents("numbers") == [.number(-0.0005), .number(.infinity), .number(100)])
        #expect(value["booleans"]?.array?.map(\.boolean) == [true, false])
        #expect(contents("times") == [.date, .time, .dateTime, .dateTime, .dateTime])
        #expect(contents("empty") == [.table([:]), .array([]), .string(""), .string("")])
        #expect(try read("").table?.isEmpty == true)
    }

    @Test func `two keys that look the same do not trap`() throws {
        #expect(try read("\"\u{E9}\" = 1\n\"e\u{301}\" = 2").table?.count == 1)
    }

    @Test(arguments: [
        ("한국 = 1", 1, 1), ("a = \"한국\" x", 1, 10), ("\u{FEFF}a = =", 1, 5), ("a = 1\r\nb = =\r\n", 2, 5),
        ("a = \"x\0\"", 1, 7), ("a = 1\n\0", 2, 1), ("a = [1", 1, 7), ("a = 1\na = 2", 2, 5), ("[a]\n[a]", 2, 1),
    ])
    func `a mistake has a line and a column`(text: String, line: Int, column: Int) throws {
        #expect(try error(text).place == Place(line: line, column: column))
    }

    @Test(arguments: [
        "a = 9223372036854775808", "a = 0x8000000000000000", "a = 1e400", "a = 07", "a = 2000-13-01", "a = 25:00:00",
        "a = { b = 1\n}", "a = \"\\uD800\"", "a = \"", "[", "[[", "= =", "a", "\"", "a = [", "'''", "a = \"\\",
        "[a]]\r\n=\n",
        "a = \"\"\"\"\"", "a.b = 1\na = 2",
    ])
    func `a text that is not TOML is an error`(text: String) throws {
        #expect(try !error(text).detail.isEmpty)
    }

    @Test func `a key has at most 16 names`() throws {
        let longest = Array(repeating: "a", count: 15).joined(separator: ".")
        _ = try read("[\(longest).b]\n\(longest).c = { \(longest).d = 1.5 }\n[[\(longest).e]]\n")
        for text in ["\(longest).b.c = 1", "x = 1\n[[\(longest) . \"b\".'c']]", "x = { y = 1, \(longest).b.c = 1 }"] {
            #expect(try error(text).detail == "expected at most 16 names in a key")
        }
        let place = try error("\u{FEFF}x = \"우\"\n\"우.리\"\(String(repeating: ".a", count: 16))").place
        #expect(place == Place(line: 2, column: 36))
    }

    @Test func `dots in strings, comments and numbers are not names`() throws {
        let dots = String(repeating: ".", count: 20)
        let numbers = Array(repeating: "1.5", count: 20).joined(separator: ", ")
        let strings = ["\"\(dots)\\\"\(dots)\"", "'\(dots)'", "\"\"\"\n\"\(dots)\"\"\"\"\"", "'''\(dots)''''"]
        let value = try read("a = [\(strings.joined(separator: ",\n"))] # \(dots)\nb = [\(numbers)]\n")
        #expect(value["a"]?.array?.count == 4)
        #expect(value["b"]?.array?.count == 20)
    }

    @Test(arguments: [("[", "]"), ("{ a = ", " }")])
    func `values are nested 30 times, and not 33 times`(opening: String, closing: String) throws {
        func nested(_ count: Int) -> String {
            "a = \(String(repeating: opening, count: count))1\(String(repeating: closing, count: count))"
        }
        _ = try read(nested(30))
        #expect(try error(nested(33)).detail.contains("maximum nested value depth of 32"))
    }
}
