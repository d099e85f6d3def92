import Testing

@testable import Rendering

struct SanitizerTests {
    @Test(arguments: [
        ("\u{1B}[31mred", "\\u{1B}[31mred"),
        ("\u{9B}31m", "\\u{9B}31m"),
        ("a\u{7F}b\u{0}c", "a\\u{7F}b\\u{0}c"),
        ("over\rwritten", "over\\u{D}written"),
        ("two\nlines\t.", "two\\u{A}lines\\u{9}."),
        ("crlf\r\n", "crlf\\u{D}\\u{A}"),
        ("\u{202E}gnp.exe", "\\u{202E}gnp.exe"),
        ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
        ("a\u{200B}b\u{FEFF}c\u{AD}d", "a\\u{200B}b\\u{FEFF}c\\u{AD}d"),
        ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"),
        ("\u{E0041}hidden", "\\u{E0041}hidden"),
        ("a\u{34F}b\u{206A}c\u{206F}", "a\\u{34F}b\\u{206A}c\\u{206F}"),
        ("\u{115F}\u{1160}\u{3164}\u{FFA0}", "\\u{115F}\\u{1160}\\u{3164}\\u{FFA0}"),
        ("a\u{E0100}b\u{E01EF}", "a\\u{E0100}b\\u{E01EF}"),
        ("a\u{17B4}\u{1BCA0}\u{1D173}b", "a\\u{17B4}\\u{1BCA0}\\u{1D173}b"),
        ("\u{FFF0}\u{E0080}\u{E0FFF}", "\\u{FFF0}\\u{E0080}\\u{E0FFF}"),
        ("葛\u{E0100}\u{E0101}", "葛\u{E0100}\\u{E0101}"),
    ])
    func `control and hidden characters are escaped`(text: String, shown: String) {
        #expect(Sanitizer.line(text) == shown)
    }

    @Test(arguments: [
        "plain", "우리집 서버", "日本語 テスト", "👨‍👩‍👧‍👦", "❤️", "می‌خواهم", "e\u{301}", "\u{1112}\u{1161}\u{11AB}", "🇰🇷", "葛\u{E0100}飾区",
        "ᠮᠣᠩ\u{180B}ᠭᠣᠯ",
        "",
    ])
    func `honest text stays unchanged`(text: String) {
        #expect(Array(Sanitizer.line(text).unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test(arguments: [
        ("@\u{2068}Bob\u{2069} look", "@Bob look"),
        ("\u{2068}a\u{2068}b\u{2069}\u{2069}", "ab"),
        ("\u{2068}a", "\\u{2068}a"),
        ("a\u{2069}\u{2068}", "a\\u{2069}\\u{2068}"),
        ("\u{2068}a\n\u{2069}", "\\u{2068}a\n\\u{2069}"),
        ("\u{2068}\u{202E}a\u{2069}", "\\u{202E}a"),
        ("\u{2067}\u{2068}a\u{2069}\u{2069}", "\\u{2067}a\\u{2069}"),
    ])
    func `paired isolates around a name on one line are removed`(text: String, shown: String) {
        #expect(Sanitizer.body(text) == shown)
    }

    @Test func `isolates are removed even if a style or a hit begins between them`() throws {
        let body = "@\u{2068}Bob\u{2069} \u{2}look"
        let hit = try #require(body.firstRange(of: "Bob"))
        #expect(StyledText(body, matches: [hit]).parts.map(\.text) == ["@", "Bob", " ", "look"])
    }

    @Test func `a body keeps line feeds and tabs, and no other control character`() {
        #expect(Sanitizer.body("a\n\tb\r\n\u{1B}") == "a\n\tb\\u{D}\n\\u{1B}")
    }

    @Test func `every hostile code point is escaped in any place`() {
        for value in 0...UInt32(0x10FFFF) {
            guard let scalar = Unicode.Scalar(value), Sanitizer.isHostile(scalar) else { continue }
            let shown = Sanitizer.line("a\(Character(scalar))\u{301}b")
            #expect(!shown.unicodeScalars.contains(where: Sanitizer.isHostile))
        }
    }
}
