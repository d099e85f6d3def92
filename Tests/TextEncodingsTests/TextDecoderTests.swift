import TestSupport
import Testing

@testable import TextEncodings

struct TextDecoderTests {
    private func text(_ bytes: [UInt8], _ encoding: TextEncoding) throws -> String? {
        try TextDecoder.of(encoding).decode(bytes[...]).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        arguments: [
            (.cp949, [0xBE, 0xC8, 0xB3, 0xE7, 0x21], "안녕!"), (.cp949, [0xC5, 0x5C], nil),
            (.cp949, [0x8C, 0x63], "똠"), (.shiftJIS, [0x82, 0xA0, 0xB1, 0x95, 0x5C], "あｱ表"),
            (.shiftJIS, [0x87, 0x40, 0x81, 0x60, 0x5C], "①～\\"), (.eucJP, [0xA4, 0xA2, 0x8E, 0xB1], "あｱ"),
            (.gb18030, [0xC4, 0xE3, 0xBA, 0xC3], "你好"), (.gb18030, [0x81, 0x30, 0x81, 0x30], "\u{80}"),
            (.big5, [0xA7, 0x41, 0xA6, 0x6E], "你好"), (.koi8R, [0xD0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4], "привет"),
            (.windows1251, [0xEF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "привет"), (.windows1252, [0x80, 0xE9], "€é"),
            (.windows1252, [0x81], nil), (.latin1, [0x80, 0xE9], "\u{80}é"), (.latin9, [0xA4], "€"),
            (.windows1250, [0xB3, 0xF3, 0x9F], "łóź"), (.cp866, [0xAF, 0xE0], "пр"), (.utf8, [0xC3, 0xA9], "é"),
            (.utf8, [0xC3], nil),
        ] as [(TextEncoding, [UInt8], String?)])
    func `bytes are decoded by the encoding's standard`(
        encoding: TextEncoding, bytes: [UInt8], text: String?
    ) throws {
        #expect(try self.text(bytes, encoding) == text)
    }

    @Test(
        arguments: [
            ("\u{1B}$B$\"\u{1B}(B a", "あ a"), ("\u{1B}$@0!\u{1B}(J\\", "亜\\"), ("\u{1B}(I1\u{1B}(B", "ｱ"),
            ("\u{1B}$B-!", "①"), ("a\u{1B}[1mb", "a\u{1B}[1mb"), ("\u{1B}$B$\" $$", "あ い"), ("\u{1B}$B$\"$", nil),
            ("\u{1B}$(D0!\u{1B}(B", "丂"), ("é\u{1B}$B$\"", nil),
        ])
    func `ISO-2022-JP has kanji, half-width katakana and Windows characters`(line: String, text: String?) throws {
        #expect(try self.text(Array(line.utf8), .iso2022JP) == text)
    }

    @Test(arguments: Sample.all.map(\.encoding))
    func `a text is the same after encoding and decoding`(encoding: TextEncoding) throws {
        for text in Sample.texts(for: encoding) {
            #expect(try self.text(try text.encoded(as: encoding.encoderName), encoding) == text)
        }
    }

    @Test(arguments: [TextEncoding.cp949, .shiftJIS, .eucJP, .gb18030, .big5])
    func `a line that can be cut loses half a character`(encoding: TextEncoding) throws {
        let bytes = try Sample.texts(for: encoding)[0].encoded(as: encoding.encoderName)
        let decoder = try TextDecoder.of(encoding)
        for end in bytes.indices {
            let cut = decoder.decode(bytes[..<end], isCut: true).map { String(decoding: $0, as: UTF8.self) }
            #expect(Sample.texts(for: encoding)[0].hasPrefix(try #require(cut)))
        }
    }

    @Test func `invalid bytes are replaced one by one`() throws {
        let repaired = try TextDecoder.of(.cp949).repaired([0xBE, 0xC8, 0xFF, 0x61, 0xFF][...])
        #expect(String(decoding: repaired, as: UTF8.self) == "안\u{FFFD}a\u{FFFD}")
        #expect(try TextDecoder.of(.windows1252).repaired([0x81]) == Array("\u{81}".utf8))
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: TextEncoding.ofLines)
    func `any bytes are decoded to UTF-8`(encoding: TextEncoding) throws {
        let decoder = try TextDecoder.of(encoding)
        var random = SeededGenerator(seed: 7)
        for count in 0..<400 {
            let bytes = (0..<count).map { _ in
                Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : 0x1B - 0x1B % 7 + 0x24
            }
            let repaired = decoder.repaired(bytes[...])
            #expect(String(validating: repaired, as: UTF8.self) != nil)
            if let decoded = decoder.decode(bytes[...]) { #expect(decoded == repaired) }
            _ = decoder.decode(bytes[...], isCut: true)
        }
    }

    @Test func `a missing converter is an error with advice`() throws {
        let error = #expect(throws: MissingConverter.self) { try TextDecoder(.cp949, iconvName: "no-such-encoding") }
        #expect(error?.reason == "this machine can't decode CP949")
    }
}
