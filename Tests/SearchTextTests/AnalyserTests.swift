import Foundation
import SearchText
import TestSupport
import Testing

@Suite struct AnalyserTests {
    @Test(arguments: [
        ("우리집", "우리 리집 집", "우 리 집"),
        ("다", "다", "다"),
        ("다다", "다다 다", "다"),
        ("서버down", "서버 버 down", "서 버"),
        ("안녕ㅋㅋ", "안녕 녕ㅋ ㅋㅋ ㅋ", "안 녕 ㅋ"),
        ("東京タワー", "東京 京タ タワ ワー ー", "東 京 タ ワ ー"),
        ("ﾀﾜｰ、ｶﾞ", "タワ ワー ー ガ", "タ ワ ー ガ"),
        ("食べ", "食べ べ", "食 べ"),
        ("修改youer服务端", "修改 改 youer 服务 务端 端", "修 改 服 务 端"),
        ("한글".decomposedStringWithCanonicalMapping, "한글 글", "한 글"),
        ("ﾡￂ", "ㄱㅏ ㅏ", "ㄱ ㅏ"),
    ])
    func `runs become pairs and their last character`(body: String, text: String, chars: String) {
        #expect(Analyser.analyse(body) == IndexedText(text: text, chars: chars))
    }

    @Test(arguments: [
        ("👍", "\u{E000}01f44d"),
        ("👍🏽👍", "\u{E000}01f44d01f3fd \u{E000}01f44d"),
        ("a❤️b", "a \u{E000}002764 b"),
        ("🇰🇷🇯🇵", "\u{E000}01f1f001f1f7 \u{E000}01f1ef01f1f5"),
        ("2️⃣2", "\u{E000}0000320020e3 2"),
        ("👨‍👧", "\u{E000}01f46800200d01f467"),
        ("\u{E000}01f44dé", "01f44de"),
    ])
    func `an emoji is one token that nobody can type`(body: String, text: String) {
        #expect(Analyser.analyse(body).text == text)
    }

    @Test(arguments: [
        ("\u{3}4,12red\u{3}, \u{3}5,x", "red x"),
        ("\u{3}123", "3"),
        ("b\u{2}o\u{1D}l\u{1F}d\u{F}\u{16}\u{11}\u{1E}", "bold"),
        ("\u{4}ff0000,00FF00hex \u{4}beach", "hex beach"),
        ("a\0b\u{7}c\u{1B}[1md", "a b c 1md"),
    ])
    func `colour and style codes are removed, and other controls separate words`(body: String, text: String) {
        #expect(Analyser.analyse(body) == IndexedText(text: text, chars: ""))
    }

    @Test(arguments: [
        "it's 100% of https://example.org/a_b?c=1, or C++20", "alice@example.org", "", " ", "A-B.C'd_e",
    ])
    func `plain text passes unchanged and gives the same tokens`(body: String) throws {
        let tokens = try Unicode61.tokens(of: [Analyser.analyse(body).text, Analyser.analyse("é " + body).text])
        #expect(Analyser.analyse(body).text == body)
        #expect(["e"] + tokens[0] == tokens[1])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `text is plain if every byte is printable ASCII`() {
        for length in 1...24 {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: UInt8(ascii: "a") &+ UInt8(place), count: length)
                    bytes[place] = byte
                    let isPlain = 0x20 <= byte && byte < 0x7F
                    #expect(Analyser.isPlain(String(decoding: bytes, as: UTF8.self)) == isPlain)
                }
            }
        }
    }

    @Test func `signs that stand for words leave the index small`() {
        let body = String(repeating: "㌖", count: Analyser.maximumBytes / 3)
        #expect(Analyser.analyse(body).text.utf8.count < 3 * Analyser.maximumBytes)
    }

    @Test(arguments: [
        ("ไปกัน", "ไøป ปøกั กัøน นø"), ("ไป", "ไøป ปø"), ("ก", "กø"), ("ไป\u{200B}กัน", "ไøป ปøกั กัøน นø"),
        ("ไปOKนะ", "ไøป ปø ok นøะ ะø"), ("กข 東", "กøข ขø 東"),
    ])
    func `a run of clusters becomes pairs, with the end of the first one`(body: String, text: String) {
        let marks = text.unicodeScalars.map { $0.value == 0xE31 ? "\u{EE31}" : $0.value == 0xE30 ? "ะ" : String($0) }
        #expect(Analyser.analyse(body).text == marks.joined())
        #expect(Analyser.analyse(body).chars == (body.contains("東") ? "東" : ""))
    }

    @Test func `the pieces of joined words follow the tokens of the text`() {
        #expect(Analyser.analyse("a\u{200C}b c d\u{200D}e").text == "ab c de \u{E000} a b \u{E000} d e")
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: ["ㅋ", "1\u{FE0F}", "\u{3}12,", "㌖", "กิ", "a\u{200C}"])
    func `a body of any length is analysed`(piece: String) {
        let body = String(repeating: piece, count: (16 << 20) / piece.utf8.count)
        let limited = String(repeating: piece, count: Analyser.maximumBytes / piece.utf8.count + 1)
        #expect(Analyser.analyse(body) == Analyser.analyse(limited))
    }
}
