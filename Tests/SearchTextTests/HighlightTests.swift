import Foundation
import SearchText
import TestSupport
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

    @Test(arguments: [
        ("deploy", #"v\d+"#, "deploy v12 now", ["deploy", "v12"]), ("foo", "oo b", "a foo bar", ["foo b"]),
        ("foo bar", "o b", "foo bar", ["foo bar"]), ("", #"\w+"#, "मैं हिन्दी", ["मैं", "हिन्दी"]), ("from:alice", "x", "a", []),
    ])
    func `words and matches of an expression are highlighted together`(
        query: String, pattern: String, body: String, marked: [String]
    ) throws {
        let highlighter = Highlighter(SearchQuery(parsing: query), try RegularExpression(pattern))
        #expect(highlighter.ranges(in: body).map { String(body[$0]) } == marked)
    }

    @Test func `a body has at most 1,000 ranges, the first`() throws {
        let body = String(repeating: "a b ", count: 3000)
        for highlighter in [
            Highlighter(SearchQuery(parsing: "a")), Highlighter(SearchQuery(parsing: "a"), try RegularExpression("a")),
        ] {
            let ranges = highlighter.ranges(in: body)
            #expect(ranges.count == 1000 && ranges.first?.lowerBound == body.startIndex)
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        }
    }

    @Test func `after the deadline, a long body has the ranges of its words alone`() throws {
        let body = "word " + String(repeating: "a", count: 100_000) + "!"
        let highlighter = Highlighter(SearchQuery(parsing: "word"), try RegularExpression("(a|aa)+$"), until: .now)
        #expect(highlighter.ranges(in: body).map { String(body[$0]) } == ["word"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a long text is highlighted up to the limit`() {
        let body = String(repeating: "ㅋ", count: 1 << 21)
        let ranges = Matcher(SearchQuery(parsing: "ㅋㅋㅋ")).ranges(in: body)
        #expect(ranges.count == 1)
    }
}

extension String {
    fileprivate var decomposed: String { decomposedStringWithCanonicalMapping }
}
