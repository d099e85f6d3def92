import SearchText
import Testing

@Suite struct SearchQueryTests {
    private static func parse(_ text: String) -> SearchQuery {
        SearchQuery(parsing: text)
    }

    @Test(arguments: [
        ("a b", [[Term.word("a")], [.word("b")]]),
        (" a\t\u{3000}b\n", [[.word("a")], [.word("b")]]),
        ("\"a b\" c", [[.phrase("a b")], [.word("c")]]),
        ("\"a b", [[.phrase("a b")]]),
        ("\"a\"b", [[.phrase("a")], [.word("b")]]),
        ("a b OR c", [[.word("a")], [.word("b"), .word("c")]]),
        ("a OR \"b c\" OR d*", [[.word("a"), .phrase("b c"), .prefix("d")]]),
        ("OR a", [[.word("OR")], [.word("a")]]),
        ("a OR", [[.word("a")], [.word("OR")]]),
        ("a OR OR b", [[.word("a")], [.word("OR"), .word("b")]]),
        ("a or b", [[.word("a")], [.word("or")], [.word("b")]]),
        ("from:alice OR in:#example", [[.from("alice"), .room("#example")]]),
        ("from:\"Kim Minsu\" x", [[.from("Kim Minsu")], [.word("x")]]),
        ("from:\"Kim Minsu", [[.from("Kim Minsu")]]),
        ("from: in:\"\"", [[.word("from:")], [.word("in:\"\"")]]),
        ("has:link has:file is:edited is:deleted", [[.has(.link)], [.has(.file)], [.is(.edited)], [.is(.deleted)]]),
        ("has:cat is:", [[.word("has:cat")], [.word("is:")]]),
        ("foo:bar From:a", [[.word("foo:bar")], [.word("From:a")]]),
        ("a* b** c*d", [[.prefix("a")], [.prefix("b*")], [.word("c*d")]]),
        ("AND NOT NEAR(a (b) {c} ^d", ["AND", "NOT", "NEAR(a", "(b)", "{c}", "^d"].map { [.word($0)] }),
        ("100% a_b C++", [[.word("100%")], [.word("a_b")], [.word("C++")]]),
    ])
    func `words, phrases and conditions must all match`(text: String, all: [[Term]]) {
        #expect(Self.parse(text) == SearchQuery(all: all))
    }

    @Test(arguments: [
        ("-a", [Term.word("a")]),
        ("-\"a b\" -c*", [.phrase("a b"), .prefix("c")]),
        ("-from:alice -has:link", [.from("alice"), .has(.link)]),
        ("-before:2024", [.word("before:2024")]),
        ("-OR --a", [.word("OR"), .word("-a")]),
        ("-from:", [.word("from:")]),
    ])
    func `what follows a minus may not match`(text: String, none: [Term]) {
        #expect(Self.parse(text) == SearchQuery(none: none))
    }

    @Test
    func `times stand beside the words`() {
        #expect(
            Self.parse("before:2024-05 a after:2024 on:\"2024-01-01 10:00\"")
                == SearchQuery(
                    all: [[.word("a")]], times: [.before("2024-05"), .after("2024"), .on("2024-01-01 10:00")]))
        #expect(Self.parse("before:noon") == SearchQuery(times: [.before("noon")]))
        #expect(Self.parse("before: \"before:noon\"").all == [[.word("before:")], [.phrase("before:noon")]])
    }

    @Test(arguments: [
        ("?! a", [[Term.word("a")]], ["?!"]),
        ("- a -?", [[.word("a")]], ["-", "-?"]),
        ("x ?! OR a", [[.word("x")], [.word("a")]], ["?!"]),
        ("a OR ?! OR b c", [[.word("a"), .word("b")], [.word("c")]], ["?!"]),
        ("* \"\"", [], ["*", "\"\""]),
        ("\"", [], ["\""]),
    ])
    func `words of no letter are named and ignored`(text: String, all: [[Term]], ignored: [String]) {
        #expect(Self.parse(text) == SearchQuery(all: all, ignored: ignored))
    }

    @Test
    func `OR beside a negated word or a time is a word`() {
        #expect(Self.parse("a OR -b").all == [[.word("a")], [.word("OR")]])
        #expect(Self.parse("before:2024 OR b").all == [[.word("OR")], [.word("b")]])
    }

    @Test
    func `a query too long is read in part, and says so`() {
        let many = Self.parse(Array(repeating: "a", count: 65).joined(separator: " "))
        let long = Self.parse(String(repeating: "서", count: 2000))
        #expect(many.all.count == 64)
        #expect(many.isCut)
        #expect(long.all == [[.word(String(repeating: "서", count: 4096 / 3))]])
        #expect(long.isCut)
        #expect(!Self.parse(Array(repeating: "a", count: 64).joined(separator: " ")).isCut)
    }
}
