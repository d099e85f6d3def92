import SearchText
import Testing

@Suite struct MatchExpressionTests {
    private static func expression(_ text: String, facets: [[String]] = []) -> MatchExpression {
        MatchExpression(
            SearchQuery(parsing: text), facets: facets,
            users: { [.from("minsu"): ["u1", "u7"], .from("alice"): ["u2"], .fromPrefix("a"): ["u2"]][$0] ?? [] },
            rooms: { ["#example": ["r12"]][$0] ?? [] })
    }

    @Test(arguments: [
        ("a", "(text : \"a\")"),
        ("서버", "(text : \"서버\")"),
        ("서", "(chars : \"서\")"),
        ("우리집", "(text : \"우리 리집\")"),
        ("서버down서버", "(text : \"서버 버 down 서버\")"),
        ("\"a 서\"", "(text : \"a 서\" *)"),
        ("A OR B c*", "(text : \"a\" OR text : \"b\") AND (text : \"c\" *)"),
        ("-a", "(facets : \"all\") NOT (text : \"a\")"),
        ("a -b -c", "((text : \"a\")) NOT (text : \"b\" OR text : \"c\")"),
        ("from:minsu in:#example", "(facets : (\"u1\" OR \"u7\")) AND (facets : (\"r12\"))"),
        ("has:link is:deleted", "(facets : (\"hlink\")) AND (facets : (\"xdeleted\"))"),
        ("from:nobody OR a", "(text : \"a\")"),
        ("a -from:nobody", "(text : \"a\")"),
        ("(a b) OR c", "(((text : \"a\") AND (text : \"b\")) OR text : \"c\")"),
        ("x NOT (a -b)", "((text : \"x\")) NOT ((((text : \"a\")) NOT (text : \"b\")))"),
        ("(-a) OR b", "(((facets : \"all\") NOT (text : \"a\")) OR text : \"b\")"),
        ("(-from:nobody) OR b", "(facets : \"all\" OR text : \"b\")"),
        ("from:a*", "(facets : (\"u2\"))"),
        ("\"a\"\" b\" OR", "(text : \"a\") AND (text : \"b\") AND (text : \"or\")"),
    ])
    func `a query becomes an FTS5 expression`(query: String, match: String) {
        #expect(Self.expression(query) == .match(match))
    }

    @Test
    func `a query without index terms is recognised`() {
        #expect(Self.expression("") == .everything)
        #expect(Self.expression("before:2024 ?!") == .everything)
        #expect(Self.expression("-from:nobody") == .everything)
        #expect(Self.expression("a from:nobody") == .nothing)
        #expect(Self.expression("a", facets: [[]]) == .nothing)
    }

    @Test
    func `additional facets narrow a query`() {
        #expect(
            Self.expression("a", facets: [["kmessage", "kaction"]])
                == .match("(text : \"a\") AND (facets : (\"kmessage\" OR \"kaction\"))"))
    }
}
