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

    @Test func `a value that an error repeats has at most 100 characters`() {
        let long = String(repeating: "서", count: 99) + "\n"
        #expect(Sanitizer.value("a\u{1B}b") == "a\\u{1B}b" && Sanitizer.value(upTo: "a\u{1B}b") == "a\\u{1B}b")
        #expect(Sanitizer.value(long) == Sanitizer.line(long) && Sanitizer.value(upTo: long) == Sanitizer.line(long))
        #expect(Sanitizer.value(long + "xx") == Sanitizer.line(long) + "…")
        #expect(Sanitizer.value(upTo: "xx" + long) == "…" + Sanitizer.line(long))
        #expect(Sanitizer.value("") == "" && Sanitizer.value(upTo: "") == "")
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
        // Zero width spaces of Khmer, Thai, Lao, Burmese, Javanese; doubled; beside other characters.
        "ខ្ញុំ\u{200B}ទៅ\u{200B}ផ្សារ", "ខ្ញុំ\u{200B}\u{200B}\u{200B}ទៅ",
        "នេះ\u{200B} (\u{200B}ខ\u{200B}) Writer\u{200B}ថ្មី។\u{200B}",
        "วันนี้\u{200B}ดี", "ສະ\u{200B}ບາຍ", "မြန်မာ\u{200B}စာ", "ꦗꦮ\u{200B}ꦱ",
        // Mongolian vowel separator, after a variation selector as well.
        "ᠬᠠᠷ\u{180E}ᠠ", "ᠨ\u{180B}\u{180E}ᠠ",
        "Donau\u{AD}dampf\u{AD}schiff", "пере\u{AD}нос", "e\u{301}t\u{AD}ude", "മല\u{AD}യാളം",
        // Marks of direction between letters that run to the left, and at their edge.
        "שלום\u{200F}עולם", "שלום!\u{200F} עולם", "مرحبا\u{200F}, Bob", "C\u{200E} שלום", "שלום (C++)\u{200E} עולם",
        "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}!",
        "a🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}🏴",
        "ශ්\u{200D}රී", "می\u{200C}خواهم",
    ])
    func `invisible characters stay where the writing needs them`(text: String) {
        #expect(Array(Sanitizer.line(text).unicodeScalars) == Array(text.unicodeScalars))
        #expect(Array(StyledText(text).text.unicodeScalars) == Array(text.unicodeScalars))
    }

    /// Hidden characters, each with texts that have a star where no neighbour needs them.
    private static let needless: [(Character, [String])] = [
        ("\u{200B}", ["pass*word", "*", "서*버", "a*\u{301}b", "* ខ", "\u{E49}*\u{E49}", "ខ****ខ", "ខ\u{1}*\u{1}"]),
        ("\u{AD}", ["c*d", "ab*c", "*ab", "ab*", "ab**cd", "ab* cd", "12*34", "서버*서버", "日本*日本", "a-*-b"]),
        ("\u{180E}", ["ab*cd", "ᠠ*", "*ᠠ", "ᠠ**ᠠ", "ᠠ* ᠠ"]),
        ("\u{200F}", ["ab*cd", "שלום*", "*שלום", "שלום!*", "שלום**עולם", "שלום*5", "5*שלום", "ab*", "שלום\n*עולם"]),
        ("\u{200E}", ["ab*cd", "שלום*עולם", "ab*", "*שלום", "שלום*12", "ab**שלום", "ab\t*שלום"]),
        ("\u{202E}", ["שלום*עולם", "ខ*ខ", "ab*cd"]), ("\u{2067}", ["שלום*עולם", "ab*cd"]), ("\u{61C}", ["مرحبا*مرحبا"]),
        ("\u{2060}", ["ខ*ខ", "ab*cd"]), ("\u{FEFF}", ["ខ*ខ", "مرحبا*مرحبا"]),
        (
            "\u{E0067}",
            ["🏴*", "*🏴", "😀*\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"]
        ),
        (
            "\u{E0020}",
            [
                "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}*\u{E007F}",
                "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}*",
            ]
        ),
    ]

    @Test(arguments: needless)
    func `the same characters are escaped everywhere else`(hidden: Character, places: [String]) throws {
        let scalar = try #require(hidden.unicodeScalars.first)
        for place in places {
            let text = place.replacingScalar("*", with: String(hidden))
            let shown = Sanitizer.body(text)
            #expect(!shown.unicodeScalars.contains(scalar), "\(place)")
            #expect(shown.unicodeScalars.count > text.unicodeScalars.count, "\(place)")
            #expect(Sanitizer.body(shown) == shown && StyledText(text + "\u{2}").text == shown, "\(place)")
        }
    }

    @Test func `a hit or a style beside an invisible character changes nothing`() throws {
        let body = "ខ្ញុំ\u{200B}ទៅ\u{200B}\u{2}ផ្សារ"
        let hit = try #require(body.firstRange(of: "ទៅ"))
        #expect(StyledText(body, matches: [hit]).parts.map(\.text) == ["ខ្ញុំ\u{200B}", "ទៅ", "\u{200B}", "ផ្សារ"])
    }

    @Test func `a long text of invisible characters is read once`() {
        for piece in ["\u{200B}\u{301}", "!\u{200F}", "\u{200E}", "\u{E0067}", "\u{2068}\u{2069}\u{AD}", "ខ\u{200B}"] {
            let text = String(repeating: piece, count: 100_000)
            #expect(Sanitizer.line(text).unicodeScalars.count >= 200_000)
        }
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
