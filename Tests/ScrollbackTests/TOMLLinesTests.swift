import Testing

@testable import Settings

struct TOMLLinesTests {
    private let lines = TOMLLines(
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
        """#)

    @Test(arguments: [
        (["data"], 2), (["rooms"], 4), (["text"], 8), (["account"], 12), (["account", "1"], 12),
        (["account", "1", "name"], 13), (["account", "1", "nick"], 14), (["account", "1", "keys"], 15),
        (["account", "1", "deep"], 17), (["account", "1", "deep", "x", "y"], 18), (["account", "2"], 20),
        (["account", "2", "name"], 21), (["account", "2", "nick"], 23), (["account", "2", "rooms", "1", "key"], 25),
        (["account", "2", "rooms", "2", "key"], 27),
    ])
    func `each table and each key has its line`(path: [String], line: Int) {
        #expect(lines.line(of: path) == line)
    }

    @Test func `a path without a line has the line of the surrounding table`() {
        #expect(lines.line(of: ["account", "2", "missing"]) == 20)
        #expect(lines.line(of: ["account", "1", "keys", "a"]) == 15)
        #expect(lines.line(of: ["nothing"]) == nil)
        #expect(TOMLLines("account = [{ name = 1 },\n{}]").line(of: ["account", "2", "name"]) == 1)
        #expect(TOMLLines("").line(of: []) == nil)
    }

    @Test(arguments: [
        "a = \"", "[", "[[", "= =", "a", "\"", "a = [", "'''", "a = \"\\", "\u{0}", "[a]]\r\n=\n", "a = \"\"\"\"\"",
    ])
    func `a text that is not TOML ends the search`(text: String) {
        #expect(TOMLLines(text).line(of: ["nothing"]) == nil)
    }
}
