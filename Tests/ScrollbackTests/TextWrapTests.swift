import TestSupport
import Testing

@testable import Rendering

struct TextWrapTests {
    @Test(arguments: [
        ("", 5, [""]), ("fits", 4, ["fits"]), ("one two three", 7, ["one two", "three"]),
        ("one  two", 8, ["one  two"]), ("one   two", 6, ["one", "two"]), ("  code", 6, ["  code"]),
        ("end   ", 4, ["end"]),
        ("a\nb c d", 3, ["a", "b c", "d"]), ("a\n\nb", 3, ["a", "", "b"]), ("          x", 4, ["x"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]), ("hi abcdefghij", 4, ["hi", "abcd", "efgh", "ij"]),
    ])
    func `lines break at spaces, and long words where necessary`(text: String, width: Int, lines: [String]) {
        #expect(TextWrap.lines(of: text, width: width) == lines)
    }

    @Test(arguments: [
        ("안녕하세요 여러분", 12, ["안녕하세요", "여러분"]), ("가나다라마바", 5, ["가나", "다라", "마바"]),
        // A space that would leave less than half a line.
        ("네 알겠습니다감사합니다", 12, ["네 알겠습니", "다감사합니다"]),
        ("今日は、明日", 6, ["今日", "は、明", "日"]), ("あ「はい」と", 4, ["あ", "「は", "い」", "と"]),
        (
            "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", 2,
            ["\u{1112}\u{1161}\u{11AB}", "\u{1100}\u{1173}\u{11AF}"]
        ),
        ("서버down", 6, ["서버", "down"]), ("\u{1171} 日", 1, ["\u{1171}", "日"]),
    ])
    func `syllables and ideographs can be separated, but not from their marks`(
        text: String, width: Int, lines: [String]
    ) {
        #expect(TextWrap.lines(of: text, width: width) == lines)
    }

    @Test func `a word of Hindi stays whole if a line fits it`() {
        #expect(TextWrap.lines(of: "मैं लिखता", width: 5) == ["मैं", "लिखता"])
    }

    @Test func `lines break at the zero width spaces of Khmer`() {
        let text = "នេះ\u{200B}ផ្សារ\u{200B}\u{200B}ថ្មី ខ"
        #expect(DisplayWidth.of("នេះ\u{200B}") == 3)
        #expect(TextWrap.lines(of: text, width: 5) == ["នេះ\u{200B}", "ផ្សារ\u{200B}\u{200B}", "ថ្មី ខ"])
    }

    @Test(arguments: [
        ("see https://example.org/x now", 21, ["see", "https://example.org/x", "now"]),
        ("위키 https://example.org/한국어", 26, ["위키", "https://example.org/한국어"]),
        ("see https://example.org", 10, ["see", "https://ex", "ample.org"]),
    ])
    func `an address stays whole if a line fits it`(text: String, width: Int, lines: [String]) {
        #expect(TextWrap.lines(of: text, width: width) == lines)
    }

    @Test func `clusters stay whole, and count their largest width on any terminal`() {
        #expect(TextWrap.lines(of: "👨‍👩‍👧‍👦👨‍👩‍👧‍👦", width: 10) == ["👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"])
        #expect(TextWrap.lines(of: "👨‍👩‍👧‍👦a", width: 1) == ["👨‍👩‍👧‍👦", "a"])
        #expect(TextWrap.lines(of: "한글", width: 1) == ["한", "글"])
    }

    @Test func `tabs advance to every eighth cell`() {
        #expect(TextWrap.lines(of: "a\tbc\t\td", width: 40) == ["a       bc              d"])
        #expect(TextWrap.lines(of: "a\tb", width: 8) == ["a", "b"])
    }

    @Test func `for any text and width, nothing is lost and no line is too long`() {
        var random = SeededGenerator(seed: 4)
        let alphabet = Array("ab \u{200B}ខ ㅋ한e\u{301} 、「」日👍🏽❤️://\t\n🇰🇷1️⃣")
        for _ in 0..<2000 {
            let text = String(
                (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    alphabet.randomElement(using: &random) ?? "a"
                })
            let width = Int.random(in: 1...24, using: &random)
            let lines = TextWrap.lines(of: text, width: width)
            #expect(lines.joined().filter { $0 != " " } == text.filter { !" \t\n".contains($0) })
            for line in lines where DisplayWidth.atMost(line) > width { #expect(line.count == 1) }
        }
    }
}
