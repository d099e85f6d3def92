import Testing

@testable import Rendering

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1),
        ("우리집", 6), ("\u{110B}\u{116E}\u{1105}\u{1175}", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
        ("日本語", 6), ("ﾊﾝｶｸ", 4), ("（全角）", 8), ("か\u{3099}", 2),
        ("😀", 2), ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("☝🏽", 2), ("❤️", 2), ("🇰🇷", 2), ("1️⃣", 2), ("🏳‍🌈", 2), ("❤", 1), ("1", 1),
        ("می‌خواهم", 7), ("…", 1),
        ("ខ\u{200B}ទ", 2), ("Donau\u{AD}dampf", 10), ("ᠬ\u{180E}ᠠ", 2), ("ש\u{200F}ש\u{200E}a", 3),
        ("\u{200C}\u{200D}", 0),
        ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2),
    ])
    func `a text has the width that terminals draw`(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test(arguments: [
        ("abc", 3), ("우리집", 6), ("\u{1112}\u{1161}\u{11AB}", 2), ("か\u{3099}", 2), ("😀", 2), ("🇰🇷", 2), ("नमस्ते", 4),
        ("…", 1),
        ("👨‍👩‍👧‍👦", nil), ("👍🏽", nil), ("❤️", nil), ("1️⃣", nil), ("🇰", nil), ("👁️‍🗨️", nil), ("😀\u{FE0E}", nil), ("hi ❤️", nil),
        ("\u{10FFFF}", nil), ("Donau\u{AD}dampf", nil), ("ខ\u{200B}ទ", 2), ("ש\u{200F}ש", 2),
    ])
    func `a width is certain where terminals agree`(text: String, width: Int?) {
        #expect(DisplayWidth.isCertain(text) == (width != nil))
        if let width { #expect(DisplayWidth.atMost(text) == width && DisplayWidth.of(text) == width) }
    }

    @Test(arguments: [("👨‍👩‍👧‍👦", 8), ("👍🏽", 4), ("❤️", 2), ("1️⃣", 2), ("a🇰", 3)])
    func `the largest width on any terminal is known`(text: String, width: Int) {
        #expect(DisplayWidth.atMost(text) == width)
    }

    @Test(arguments: [
        ("short", 8, "short"), ("exactly8", 8, "exactly8"), ("ninechars", 8, "ninecha…"),
        ("우리집서버", 8, "우리집…"), ("우리집서버", 7, "우리집…"), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 4, "👨‍👩‍👧‍👦…"), ("ab", 1, "…"),
    ])
    func `a cut text fits and shows that it is cut`(text: String, width: Int, cut: String) {
        #expect(DisplayWidth.cut(text, to: width) == cut)
        #expect(DisplayWidth.of(cut) <= width)
    }

    @Test func `padding counts cells instead of characters`() {
        #expect(DisplayWidth.pad("우리", to: 6) == "우리  ")
        #expect(DisplayWidth.pad("ab", to: 6, .right) == "    ab")
        #expect(DisplayWidth.pad("too long", to: 3) == "too long")
    }
}
