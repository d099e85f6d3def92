import Foundation
import SearchText
import Testing

@Suite struct HighlightTests {
    @Test(arguments: [
        ("foo", "Foo food FOO!", ["Foo", "FOO"]),
        ("foo*", "Foo food", ["Foo", "food"]),
        ("foo-bar", "a foo/bar b", ["foo/bar"]),
        ("\"b c\"", "a b, c d b c", ["b, c", "b c"]),
        ("서버", "내서버가 서버", ["서버", "서버"]),
        ("우리 리집", "우리집", ["우리집"]),
        ("서버down", "새서버 down", ["서버 down"]),
        ("\"down 서\"", "down 서버", ["down 서"]),
        ("서버", "서버".decomposed, ["서버".decomposed]),
        ("cafe", "a cafe\u{301}!", ["cafe\u{301}"]),
        ("ガ", "xｶﾞy", ["ｶﾞ"]),
        ("test", "a te\u{2}st\u{2} b", ["te\u{2}st"]),
        ("strasse", "Die Straße.", ["Straße"]),
        ("👍*", "ok👍🏽ok", ["👍🏽"]),
        ("ㅋㅋ", "앗ㅋㅋㅋㅋ", ["ㅋㅋㅋㅋ"]),
        ("a -b from:alice OR c", "a b c", ["a", "c"]),
        ("nothing", "a b c", []),
        ("-a", "a b c", []),
    ])
    func `searched words are highlighted in their place`(query: String, body: String, marked: [String]) {
        let ranges = Matcher(SearchQuery(parsing: query)).ranges(in: body)
        #expect(ranges.map { Array(body[$0].unicodeScalars) } == marked.map { Array($0.unicodeScalars) })
    }

    @Test
    func `a long text is highlighted up to the limit`() {
        let body = String(repeating: "ㅋ", count: 1 << 21)
        let ranges = Matcher(SearchQuery(parsing: "ㅋㅋㅋ")).ranges(in: body)
        #expect(ranges.count == 1)
    }
}

extension String {
    fileprivate var decomposed: String { decomposedStringWithCanonicalMapping }
}
