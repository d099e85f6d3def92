import TestSupport
import Testing

@testable import TextEncodings

struct LineDecoderTests {
    private func recognised(_ encoding: TextEncoding) throws -> LineDecoder {
        let bytes = try Sample.log(Sample.texts(for: encoding), in: encoding)
        return try LineDecoder(try #require(RecognisedEncoding(EncodingSample(bytes))))
    }

    private func read(_ bytes: [UInt8], _ decoder: LineDecoder) -> (text: String, reading: LineDecoder.Reading) {
        let line = decoder.decode(bytes[...])
        return (String(decoding: line.bytes, as: UTF8.self), line.reading)
    }

    @Test(arguments: Sample.all.map(\.encoding))
    func `each line of a log is decoded, and UTF-8 lines stay unchanged`(encoding: TextEncoding) throws {
        let decoder = try recognised(encoding)
        for text in Sample.texts(for: encoding) {
            #expect(read(try text.encoded(as: encoding.encoderName), decoder) == (text, .decoded))
        }
        for text in Sample.korean + Sample.japanese + Sample.russian + ["plain", ""] {
            #expect(read(Array(text.utf8), decoder) == (text, .utf8), "\(encoding)")
        }
    }

    @Test(arguments: Sample.all.map(\.encoding))
    func `a line that is invalid in both encodings is kept`(encoding: TextEncoding) throws {
        let line: [UInt8] = [0x61, 0xFF, 0xFF, 0x81, 0xFF, 0x98, 0x20, 0x62]
        guard ![.koi8R, .windows1252].contains(encoding) else { return }
        let read = try recognised(encoding).decode(line[...])
        #expect(read.reading == .undecodable && Array(read.bytes) == line)
    }

    @Test func `truncated UTF-8 stays UTF-8`() throws {
        let line = Array(Sample.korean.joined(separator: " ").utf8.dropLast())
        let read = try recognised(.windows1252).decode(line[...])
        #expect(read.reading == .undecodable && Array(read.bytes) == line)
    }

    @Test func `a line cut within a character is readable up to there`() throws {
        let text = Sample.korean[4]
        let line = try text.encoded(as: "CP949").dropLast()
        let read = read(Array(line), try recognised(.cp949))
        #expect(read == (text.dropLast() + "\u{FFFD}", .undecodable))
    }

    @Test(
        arguments: [
            (.gb18030, [0xC5, 0xB6], "哦"), (.cp949, [0xC3, 0xB6], "철"), (.koi8R, [0xC5, 0xA3], "её"),
            (.big5, [0xC4, 0xB1], "覺"), (.windows1252, [0xC2, 0xAB], "«"),
        ] as [(TextEncoding, [UInt8], String)])
    func `a word that is UTF-8 by chance is decoded like the file, and doubtful`(
        encoding: TextEncoding, bytes: [UInt8], text: String
    ) throws {
        #expect(read(bytes, try recognised(encoding)) == (text, encoding == .windows1252 ? .utf8 : .doubtful))
        #expect(read(bytes, try LineDecoder(given: encoding)).text == text)
    }

    @Test func `a line that is more likely in another encoding is doubtful`() throws {
        let line = try Sample.russian[1].encoded(as: "KOI8-R")
        #expect(try recognised(.windows1251).decode(line[...]).reading == .doubtful)
        #expect(try LineDecoder(given: .windows1251).decode(line[...]).reading == .decoded)
    }

    @Test func `lines of an uncertain encoding are doubtful`() throws {
        let bytes = try "où".encoded(as: "CP1252")
        let decoder = try LineDecoder(try #require(RecognisedEncoding(EncodingSample(bytes + [0x0A]))))
        #expect(read(bytes, decoder) == ("où", .doubtful))
    }

    @Test func `without an encoding, lines are UTF-8 or undecodable`() {
        #expect(LineDecoder.utf8.decode([0xC3, 0xA9]).reading == .utf8)
        #expect(LineDecoder.utf8.decode([0xC3]).reading == .undecodable)
        #expect(LineDecoder.utf8.decode([0xC3], isCut: true).reading == .utf8)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: Sample.all.map(\.encoding))
    func `any line is decoded to UTF-8 or kept`(encoding: TextEncoding) throws {
        let decoder = try recognised(encoding)
        var random = SeededGenerator(seed: 13)
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let line = decoder.decode(bytes[...], isCut: count % 2 == 0)
            let isValid = String(validating: line.bytes, as: UTF8.self) != nil
            #expect(isValid || line.reading == .undecodable && Array(line.bytes) == bytes)
        }
    }
}
