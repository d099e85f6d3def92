import SearchText
import Testing

@Suite struct FormattingCodeTests {
    @Test(arguments: [
        ("plain 가", "plain 가"), ("\u{2}b\u{2} \u{1D}i\u{1D} \u{1F}u\u{F}", "b i u"), ("\u{3}4red\u{3}", "red"),
        ("\u{3}04,12both", "both"), ("\u{3}4,red", ",red"), ("\u{3},5x", ",5x"), ("\u{3}123", "3"), ("\u{3}1,234", "4"),
        ("\u{4}FF00aax", "x"), ("\u{4}FF0,1x", "FF0,1x"), ("\u{4}ff0000,00FF00x", "x"), ("\u{4}ff0000,00FFx", ",00FFx"),
        ("\u{11}m\u{16}r\u{1E}s", "mrs"), ("\u{3}", ""), ("a\u{3}", "a"), ("\u{1}\t", "\u{1}\t"), ("\u{3}4가", "가"),
        ("\u{3}٤x", "٤x"),
    ])
    func `removing a text's codes leaves what was said`(text: String, plain: String) {
        #expect(FormattingCodes.removed(from: text) == plain)
        #expect(FormattingCodes.hasAny(text) == (text.unicodeScalars.count != plain.unicodeScalars.count))
    }

    @Test(
        arguments: [
            ("\u{2}a", .bold, 1), ("\u{1D}", .italic, 1), ("\u{1F}", .underline, 1), ("\u{1E}", .strikethrough, 1),
            ("\u{11}", .monospace, 1), ("\u{16}", .reverse, 1), ("\u{F}", .reset, 1),
            ("\u{3}x", .colours(nil, ground: nil), 1), ("\u{3}4x", .colours(.number(4), ground: nil), 2),
            ("\u{3}04,1x", .colours(.number(4), ground: .number(1)), 5),
            ("\u{3}99,", .colours(.number(99), ground: nil), 3),
            ("\u{4}", .colours(nil, ground: nil), 1), ("\u{4}12345", .colours(nil, ground: nil), 1),
            ("\u{4}0a0B0c", .colours(.hexadecimal(0x0A0B0C), ground: nil), 7),
            ("\u{4}0a0B0c,FFffFF", .colours(.hexadecimal(0x0A0B0C), ground: .hexadecimal(0xFFFFFF)), 14),
            ("\u{4}0a0B0c,FFffF", .colours(.hexadecimal(0x0A0B0C), ground: nil), 7),
        ] as [(String, FormattingCode, Int)])
    func `a code is read with all its parts`(text: String, code: FormattingCode, length: Int) throws {
        let read = try #require(FormattingCodes.code(at: text.unicodeScalars[...]))
        #expect(read.code == code && read.length == length)
    }

    @Test(arguments: ["", "a", "\u{1}", "\u{5}4", ",", "4"])
    func `an incomplete code is text`(text: String) {
        #expect(FormattingCodes.code(at: text.unicodeScalars[...]) == nil)
    }
}
