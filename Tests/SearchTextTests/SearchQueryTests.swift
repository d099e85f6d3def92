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
        ("is:topic IS:reply is:Reply", [[.is(.topic)], [.word("IS:reply")], [.is(.reply)]]),
        (
            "has:image has:video has:audio has:sound has:reaction is:pinned",
            [[.has(.image)], [.has(.video)], [.has(.audio)], [.has(.audio)], [.has(.reaction)], [.is(.pinned)]]
        ),
        ("has: is: \"has:cat\" \"is:\"", [[.word("has:")], [.word("is:")], [.phrase("has:cat")], [.phrase("is:")]]),
        ("foo:bar From:a", [[.word("foo:bar")], [.word("From:a")]]),
        ("a* b** c*d", [[.prefix("a")], [.prefix("b*")], [.word("c*d")]]),
        ("*a* *b *c-d* *e*f", [[.infix("a")], [.suffix("b")], [.infix("c-d")], [.suffix("e*f")]]),
        ("NEAR(a {c} ^d", ["NEAR(a", "{c}", "^d"].map { [.word($0)] }),
        ("a AND b AND from:c", [[.word("a")], [.word("b")], [.from("c")]]),
        ("AND a and b AND", ["AND", "a", "and", "b", "AND"].map { [.word($0)] }),
        ("a NOT", [[.word("a")], [.word("NOT")]]),
        (
            "f(x) a(b c)d (e)f :) (: (s)he",
            [
                [.word("f(x)")], [.word("a(b")], [.word("c)d")], [.word("(e)f")], [.word("(s)he")],
            ]
        ),
        ("(a", [[.word("(a")]]),
        ("a) b)", [[.word("a)")], [.word("b)")]]),
        ("(a b) ((c) OR (d))", [[.word("a")], [.word("b")], [.word("c"), .word("d")]]),
        ("(f(x) OR b)", [[.word("f(x)"), .word("b")]]),
        ("(a b) OR c", [[.group(TermGroup(all: [[.word("a")], [.word("b")]])), .word("c")]]),
        ("(\"a) b\" OR from:\"c) d\")", [[.phrase("a) b"), .from("c) d")]]),
        (
            "from:김* from:\"Kim Mi\"* from:\"Kim*\" from:*",
            [
                [.fromPrefix("김")], [.fromPrefix("Kim Mi")], [.from("Kim*")], [.from("*")],
            ]
        ),
        ("in:a* has:link*", [[.room("a*")], [.word("has:link*")]]),
        ("100% a_b C++", [[.word("100%")], [.word("a_b")], [.word("C++")]]),
    ])
    func `words, phrases and conditions must all match`(text: String, all: [[Term]]) {
        let query = Self.parse(text)
        #expect(query.all == all)
        #expect(query.none.isEmpty && query.times.isEmpty)
    }

    @Test(arguments: [
        ("-a", [Term.word("a")]),
        ("-\"a b\" -c*", [.phrase("a b"), .prefix("c")]),
        ("-from:alice -has:link", [.from("alice"), .has(.link)]),
        ("-before:2024", [.word("before:2024")]),
        ("-OR --a", [.word("OR"), .word("-a")]),
        ("-from:", [.word("from:")]),
        ("NOT a", [.word("a")]),
        ("NOT a OR b", [.word("a"), .word("b")]),
        ("-(a OR b)", [.word("a"), .word("b")]),
        ("NOT (a b) AND NOT \"c d\"", [.group(TermGroup(all: [[.word("a")], [.word("b")]])), .phrase("c d")]),
        ("(-a NOT b)", [.word("a"), .word("b")]),
        ("-(-a)", [.group(TermGroup(none: [.word("a")]))]),
        ("-AND -NOT", [.word("AND"), .word("NOT")]),
    ])
    func `words after a minus must not match`(text: String, none: [Term]) {
        #expect(Self.parse(text) == SearchQuery(none: none))
    }

    @Test(arguments: [
        ("a has:cat", ["has:cat"]), ("-has:cat is:고양이 has:cat", ["has:cat", "is:고양이"]),
        ("(a OR is:unread) has:link*", ["is:unread", "has:link*"]),
        ("\"has:cat\" the answer is: 42 has: is:reply this:has", []),
    ])
    func `an unknown value of has: or is: is noted once`(text: String, unknown: [String]) {
        #expect(Self.parse(text).unknown.map { "\($0.name):\($0.value)" } == unknown)
    }

    @Test
    func `a word that looks like a condition is written in quotes`() {
        #expect(Term.word("has:cat").written == "\"has:cat\"")
        #expect(Term.has(.audio).written == "has:audio")
    }

    @Test
    func `times are separate from the words`() {
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
        ("a () (?!) :)", [[.word("a")]], ["?!", ":)"]),
    ])
    func `words without letters are named and ignored`(text: String, all: [[Term]], ignored: [String]) {
        #expect(Self.parse(text) == SearchQuery(all: all, ignored: ignored))
    }

    @Test(arguments: [
        ("a or b or c", [Remark.resembles("or", operator: "OR")], 5),
        ("a | b & c", [.resembles("|", operator: "OR"), .resembles("&", operator: "AND")], 3),
        ("rock and not roll", [.resembles("and", operator: "AND"), .resembles("not", operator: "NOT")], 4),
        ("a OR -b", [.operatorAsWord("OR")], 2), ("AND a NOT", [.operatorAsWord("AND"), .operatorAsWord("NOT")], 3),
        ("a OR NOT b", [.operatorAsWord("OR")], 2),
        ("(a on:2024) b", [.timeAsWord("on:2024")], 3), ("or", [], 1), ("OR", [], 1), ("\"or\" a -or", [], 2),
    ])
    func `a word that looks like an operator is noted once`(text: String, remarks: [Remark], terms: Int) {
        #expect(Self.parse(text).remarks == remarks)
        #expect(Self.parse(text).all.count == terms)
    }

    @Test(arguments: [
        "*a* -*b", "a b", "(a b) OR c", "-(a OR b) c", "\"a b\" serv* from:\"Kim Minsu\" -in:#x has:link",
        "from:김* \"OR\" f(x)",
        "x NOT (a -(b c)) on:\"last week\"", "((((((((((a))))))))) b",
    ])
    func `the written form of a query means the same`(text: String) {
        let query = Self.parse(text)
        let again = Self.parse(query.written)
        #expect((again.all, again.none) == (query.all, query.none) && again.times == query.times)
    }

    @Test
    func `groups nest up to eight levels, and a query of only parentheses is answered`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "x NOT (", count: depth) + "a b" + String(repeating: ")", count: depth)
        }
        #expect(Self.parse(nested(8)).leaves.count == 10)
        #expect(Self.parse(nested(9)).leaves.contains(.word("(a")))
        for text in ["(", ")", "-(", "()", "( )"].map({ String(repeating: $0, count: 2000) }) {
            #expect(Self.parse(text).leaves.isEmpty)
        }
    }

    @Test
    func `a word has alternative forms`() {
        #expect(Term.word("gru").beginning == .prefix("gru"))
        #expect([Term.word("서버"), .prefix("gru"), .phrase("gru"), .from("gru")].compactMap(\.beginning).isEmpty)
        #expect(Term.word("gru").containing == .infix("gru"))
        #expect([Term.word("서버"), .prefix("gru"), .infix("gru"), .phrase("gru")].compactMap(\.containing).isEmpty)
        #expect(Term.word("학교폭력").otherSpacings == ["학교 폭력", "학교폭 력", "학 교폭력"].map(Term.phrase))
        #expect(Term.word("우리집").otherSpacings == ["우리 집", "우 리집"].map(Term.phrase))
        #expect(Term.phrase("학교 폭력").otherSpacings == [.word("학교폭력")])
        #expect(Term.phrase("東京 タワー").otherSpacings == [.word("東京タワー")])
        #expect(["서버", "down", "서버down", ""].allSatisfy { Term.word($0).otherSpacings.isEmpty })
        #expect(Term.word(String(repeating: "가", count: 17)).otherSpacings.isEmpty)
    }

    @Test
    func `OR beside a negated word or a time is a word`() {
        #expect(Self.parse("a OR -b").all == [[.word("a")], [.word("OR")]])
        #expect(Self.parse("before:2024 OR b").all == [[.word("OR")], [.word("b")]])
    }

    @Test
    func `a query that is too long is cut, with a note`() {
        let many = Self.parse(Array(repeating: "a", count: 65).joined(separator: " "))
        let long = Self.parse(String(repeating: "서", count: 2000))
        #expect(many.all.count == 64)
        #expect(many.isCut)
        #expect(long.all == [[.word(String(repeating: "서", count: 4096 / 3))]])
        #expect(long.isCut)
        #expect(!Self.parse(Array(repeating: "a", count: 64).joined(separator: " ")).isCut)
    }
}
