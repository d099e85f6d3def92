import Foundation
import SearchText
import TestSupport
import Testing

@Suite struct RegularExpressionTests {
    @Test(arguments: [
        (#"v\d+\.\d+"#, "now v2.10 is out", ["v2.10"]),
        (#"서버\w"#, "서버가 서버는 서버 죽었다", ["서버가", "서버는"]),
        (#"\bcaf\w\b"#, "café cafe cafés", ["café", "cafe"]),
        (#"(?i)ÄRGER"#, "der ärger", ["ärger"]),
        (#"^a|b$"#, "a b a b", ["a", "b"]),
        (#"x*"#, "axxb", ["xx"]),
        (#"👍+"#, "ok 👍👍 👍", ["👍👍", "👍"]),
        (#"\p{Hangul}+"#, "abc 한글 def", ["한글"]),
        (#"foo\Kbar"#, "foobar", ["bar"]),
        ("a", "b", []), ("", "abc", []), ("a", "", []),
    ])
    func `matches are found in every script`(pattern: String, text: String, expected: [String]) throws {
        let expression = try RegularExpression(pattern)
        #expect(expression.ranges(in: text).map { String(text[$0]) } == expected)
        if !expected.isEmpty { #expect(expression.matches(text) == true) }
    }

    @Test(arguments: [
        ("a(b", "missing closing parenthesis", "a(b"), ("[z-a]", "range out of order in character class", "[z-"),
        ("a**b++*", "quantifier does not follow a repeatable item", "a**b++*"),
        (#"\C"#, #"using \C is disabled by the application"#, #"\C"#),
    ])
    func `an invalid expression is reported with its place`(pattern: String, detail: String, before: String) {
        let error = #expect(throws: RegularExpressionError.self) { try RegularExpression(pattern) }
        #expect(error?.detail == detail)
        #expect(error.map { pattern.hasPrefix($0.before) } == true)
    }

    @Test(arguments: ["(a+)+$", "(a|aa)+$", "(.*)*x", #"(a?){30}a{30}$"#])
    func `a match that would never end is stopped`(pattern: String) throws {
        let expression = try RegularExpression(pattern)
        #expect(expression.matches(String(repeating: "a", count: 20_000) + "!") != true)
    }

    @Test func `long texts and expressions never trap`() throws {
        #expect(throws: RegularExpressionError.self) { try RegularExpression(String(repeating: "a", count: 5000)) }
        #expect(throws: RegularExpressionError.self) {
            try RegularExpression(String(repeating: "(", count: 2000) + String(repeating: ")", count: 2000))
        }
        let long = String(repeating: "서버 ", count: 300_000) + "end"
        #expect(try RegularExpression("end$").matches(long) == true)
        #expect(try RegularExpression("서").ranges(in: long).count == 1000)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a match with few steps per place can be stopped in a long text`() throws {
        let expression = try RegularExpression("(a?){12}b|zq")
        let text = String(repeating: "a", count: 2000)
        var questions = 0
        let stopped = expression.matches(text) {
            questions += 1
            return questions == 3
        }
        #expect(stopped == nil && questions == 3)
        #expect(expression.matches(text) { false } == false)
    }

    @Test(arguments: [#"(?<=x)y$"#, "^x", "(*COMMIT)y", #"\Gx"#, "x+y", "(x|y)+?z", "none", ""])
    func `an interruptible match finds the same`(pattern: String) throws {
        let expression = try RegularExpression(pattern)
        for text in ["x", "y"].flatMap({ [String(repeating: $0, count: 3000) + "xy", $0 + "xyz"] }) {
            #expect(expression.matches(text) { false } == expression.matches(text), "\(text.prefix(3))")
        }
    }

    @Test func `any text is a valid or an invalid expression, and never traps`() {
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "a", "(", ")", "[", "]", "*", "+", "?", "{2}", "{,9}", "|", "\\", "\\1", "^", "$", "서", "(?", "(?<n>", ".",
        ]
        for _ in 0..<20_000 {
            let pattern = (0..<Int.random(in: 0..<12)).map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined()
            guard let expression = try? RegularExpression(pattern) else { continue }
            for text in ["", "aaa서서", "\u{0}", "a\u{301}"] {
                _ = expression.matches(text)
                for range in expression.ranges(in: text) { #expect(!text[range].isEmpty) }
            }
        }
    }
}
