import SearchText
import TestSupport
import Testing

@Suite struct RequiredLettersTests {
    private func letters(_ pattern: String) throws -> [[String]] { try RegularExpression(pattern).requiredLetters }

    @Test(arguments: [
        ("boot", [["boot"]]), (#"gr[uo]b2?\b.*boot"#, [["boot"]]), ("foo.*BAR", [["foo"], ["bar"]]),
        ("foobar?", [["fooba"]]), ("fooba+r", [["fooba"]]), ("abc{2}def", [["abc"], ["def"]]),
        ("abc{0,2}def", [["def"]]),
        ("error|warning", [["error", "warning"]]), ("(?:error|warn(?:ing)?): disk", [["error", "warn"], ["disk"]]),
        ("(foo|b)ar", []), ("(foo)?bar", [["bar"]]), ("(foo)+bar", [["foo"], ["bar"]]), ("(?i)Deploy", [["deploy"]]),
        ("(?i:deploy) (?<what>done)", [["deploy"], ["done"]]), (#"^https?://"#, [["http"]]),
        (#"foo\.bar"#, [["foo"], ["bar"]]),
        (#"\bfoo\Kbar"#, [["foobar"]]), (#"[\]abc]def"#, [["def"]]), (#"\p{Hangul}abc"#, [["abc"]]),
        ("서버가 down", [["서버가"], ["down"]]),
        ("(?>서버|server)", [["server", "서버"]]), ("foo(?=.*bar)", [["foo"]]), ("foo(?!bar)baz", [["foobaz"]]),
        ("a1b2c3", []), ("ab", []), ("", []),
    ])
    func `letters that stand in every match are found`(pattern: String, expected: [[String]]) throws {
        #expect(try letters(pattern) == expected)
    }

    @Test(arguments: [
        #"\Qfoo\E"#, #"foo\x41"#, #"(foo)\1"#, "(?x) foo bar", "(?#foo)bar", "(*UCP)foo", "(?(?=a)foo|bar)", "foo(?R)?",
        "(?|foo|bar)", "foo{,2}", "foo{ 1 }", #"(?'n'foo)"#, "(?P=n)(?P<n>foo)", "foo(?C1)", "(?xx)foo",
    ])
    func `an expression with rare syntax requires no letters`(pattern: String) throws {
        guard let letters = try? letters(pattern) else { return }
        #expect(letters == [])
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `each text that matches a random expression has the letters`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var matches = 0
        for _ in 0..<3000 {
            let pattern = Self.pattern(depth: 0, &random)
            let expression = try RegularExpression(pattern)
            for _ in 0..<8 {
                let text = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                    ["abc", "Abd", "bca", "cab", "x", " ", "가나", "나다", "\u{212A}", "ſ", "ks"].randomElement(
                        using: &random) ?? ""
                }.joined()
                guard expression.matches(text) == true else { continue }
                let found = text.replacing("\u{212A}", with: "k").replacing("ſ", with: "s").lowercased()
                for list in expression.requiredLetters {
                    matches += 1
                    #expect(list.contains { found.contains($0) }, "\(pattern) matches \(text)")
                }
            }
        }
        #expect(matches > 100)
    }

    private static func pattern(depth: Int, _ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let atom =
                switch Int.random(in: 0...(depth < 2 ? 9 : 6), using: &random) {
                case 0, 1, 2: ["abc", "ab", "b", "cab", "가나", "ks", "bca"].randomElement(using: &random) ?? ""
                case 3: ["[ab]", ".", #"\w"#, "[^x]"].randomElement(using: &random) ?? ""
                case 4: ["^", "$", #"\b"#, "(?i)", "(?=a)", "(?!ab)", "(?<=c)"].randomElement(using: &random) ?? ""
                case 5: "c"
                case 6: " "
                case 7: "(\(pattern(depth: depth + 1, &random))|\(pattern(depth: depth + 1, &random)))"
                case 8: "(?:\(pattern(depth: depth + 1, &random)))"
                default: "(?i:\(pattern(depth: depth + 1, &random)))"
                }
            let isPlace = ["^", "$", #"\b"#, "(?i)", "(?=a)", "(?!ab)", "(?<=c)"].contains(atom)
            let times = ["", "", "", "?", "*", "+", "{2}", "{0,1}", "+?"].randomElement(using: &random) ?? ""
            return isPlace ? atom : atom + times
        }.joined()
    }
}
