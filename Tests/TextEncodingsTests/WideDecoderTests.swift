import TestSupport
import Testing

@testable import TextEncodings

struct WideDecoderTests {
    private static let text = "[10:00] <alice> 안녕 👋🏽 é\r\n[10:01] <bob> 𠮷野家 \u{3}4red\u{F}\n"

    private func decoded(_ bytes: [UInt8], _ form: WideForm, by size: Int = .max / 2) -> [UInt8] {
        var decoder = WideDecoder(form)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            text += decoder.decode(bytes[start..<min(bytes.count, start + size)])
        }
        return text + decoder.finish()
    }

    @Test(arguments: ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"])
    func `text is the same at every split of its bytes, and its mark is removed`(name: String) throws {
        let bytes = try ("\u{FEFF}" + Self.text).encoded(as: name)
        let form = try #require(WideForm(markOf: bytes[...]))
        for size in 1...bytes.count {
            #expect(decoded(bytes, form, by: size) == Array(Self.text.utf8))
        }
        for end in bytes.indices {
            var decoder = WideDecoder(form)
            #expect(
                decoder.decode(bytes[..<end]) + decoder.decode(bytes[end...]) + decoder.finish()
                    == Array(Self.text.utf8))
        }
    }

    @Test(arguments: ["UTF-16LE", "UTF-16BE"])
    func `UTF-16 without a mark is recognised by its plain text`(name: String) throws {
        let bytes = try Self.text.encoded(as: name)
        let form = try #require(WideForm(plainText: bytes[...]))
        #expect(decoded(bytes, form) == Array(Self.text.utf8))
    }

    @Test func `other files are not UTF-16`() throws {
        var random = SeededGenerator(seed: 3)
        let noise = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
        let counts = (0..<1024).flatMap { number -> [UInt8] in [UInt8(number & 0xFF), UInt8(number >> 8), 0, 0] }
        let files: [[UInt8]] = [
            noise, counts, Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84), Array(Self.text.utf8),
            Array("[10:00] <alice> hi\n".utf8) + [UInt8](repeating: 0, count: 512), [], [0], [0x61, 0],
        ]
        for file in files {
            #expect(WideForm(markOf: file[...]) == nil)
            #expect(WideForm(plainText: file[...]) == nil)
        }
    }

    @Test(
        arguments: [
            ([0x3D, 0xD8, 0x61, 0], [0xED, 0xA0, 0xBD, 0x61]), ([0x4B, 0xDC], [0xED, 0xB1, 0x8B]),
            ([0x3D, 0xD8], [0xED, 0xA0, 0xBD]),
            ([0x3D, 0xD8, 0x3D, 0xD8, 0x4B, 0xDC], [0xED, 0xA0, 0xBD] + Array("👋".utf8)),
            ([0x61, 0, 0x62], [0x61, 0xFF]), ([0xFF, 0xFE, 0x61, 0, 0xFF, 0xFE], Array("a\u{FEFF}".utf8)),
        ] as [([UInt8], [UInt8])])
    func `half characters are kept as invalid UTF-8`(bytes: [UInt8], text: [UInt8]) throws {
        #expect(decoded(bytes, WideForm(width: 2, isBigEndian: false)) == text)
    }

    @Test(arguments: [2, 4], [false, true])
    func `any bytes are accepted, the same at every split`(width: Int, isBigEndian: Bool) {
        let form = WideForm(width: width, isBigEndian: isBigEndian)
        var random = SeededGenerator(seed: 11)
        for count in 0..<64 {
            let bytes = (0..<count).map { _ in
                [0xD8, 0xDC, 0, 0xFF, 0xFE, 0x10].randomElement(using: &random) ?? 0x61 as UInt8
            }
            let whole = decoded(bytes, form)
            for size in 1..<8 { #expect(decoded(bytes, form, by: size) == whole) }
        }
    }
}
