import TestSupport
import Testing

@testable import TextEncodings

struct RecognisedEncodingTests {
    @Test(arguments: Sample.all.map(\.encoding))
    func `a log's encoding is recognised, the same in any chunks`(encoding: TextEncoding) throws {
        let bytes = try Sample.log(Sample.texts(for: encoding), in: encoding)
        let whole = try #require(RecognisedEncoding(EncodingSample(bytes)))
        #expect(whole.encoding == encoding && whole.doubt == nil && !whole.isMixed)
        for size in 1...64 { #expect(RecognisedEncoding(EncodingSample(bytes, by: size)) == whole) }
    }

    @Test(arguments: Sample.all.map(\.encoding))
    func `a single line is recognised or uncertain`(encoding: TextEncoding) throws {
        for text in Sample.texts(for: encoding) {
            let bytes = try Sample.log([text], in: encoding)
            guard let recognised = RecognisedEncoding(EncodingSample(bytes)) else {
                #expect(bytes[...].isUTF8)
                continue
            }
            #expect(recognised.encoding == encoding || recognised.doubt != nil, "\(text): \(recognised)")
        }
    }

    @Test(arguments: ["", "plain\nlines\n", "안녕\nпривет\n", "\u{1B}[1mbold\u{1B}[0m\n", "\u{FEFF}é\n"])
    func `UTF-8 is not taken for another encoding`(text: String) {
        #expect(RecognisedEncoding(EncodingSample(Array(text.utf8))) == nil)
    }

    @Test func `truncated lines of UTF-8 are not taken for another encoding`() {
        let line = Array("[10:00] <alice> \(Sample.korean.joined(separator: " "))".utf8)
        for end in line.count - 3..<line.count {
            let sample = EncodingSample(Array(line[..<end]) + [0x0A])
            #expect(RecognisedEncoding(sample) == nil)
        }
    }

    @Test func `UTF-8 lines don't affect the others' encoding, and are reported`() throws {
        let bytes = try Sample.log(Sample.korean, in: .cp949) + Sample.log(Sample.korean + Sample.japanese, in: .utf8)
        let recognised = try #require(RecognisedEncoding(EncodingSample(bytes)))
        #expect(recognised.encoding == .cp949 && recognised.doubt == nil && recognised.isMixed)
    }

    @Test func `a single accented letter is uncertain`() throws {
        let bytes = try Sample.log(["où"], in: .windows1252)
        let recognised = try #require(RecognisedEncoding(EncodingSample(bytes)))
        guard case .alternative = recognised.doubt else {
            Issue.record("it is certain of \(recognised)")
            return
        }
    }

    @Test(
        arguments: [
            ("CP1253", "Πού θα φάμε απόψε; Έχω ήδη κλείσει τραπέζι για όλους μας"),
            ("ISO-8859-2", "Źle się czuję, więc chyba zostanę dziś w domu. Może później zadzwonię, żeby się umówić"),
            ("CP866", "Что будем есть сегодня вечером? Завтра в три часа встречаемся у библиотеки"),
            ("JOHAB", "오늘 저녁에 뭐 먹을까? 내일 오후 세 시에 도서관 앞에서 만나요"),
        ])
    func `an unrecognisable encoding is uncertain`(name: String, text: String) throws {
        let bytes = try (text + "\n").encoded(as: name)
        let recognised = try #require(RecognisedEncoding(EncodingSample(bytes)))
        #expect(recognised.doubt != nil)
    }

    @Test func `an encoding is uncertain if a possible converter is missing`() throws {
        let bytes = try Sample.log(Sample.western, in: .windows1252)
        let models = EncodingModel.all.filter { $0.encoding != .cp949 }
        let recognised = try #require(RecognisedEncoding(EncodingSample(bytes), models: models))
        #expect(recognised.encoding == .windows1252 && recognised.doubt == .missing([.cp949]))
    }

    @Test func `a large file's sample is spread over all of it`() throws {
        let line = try Sample.log([Sample.korean[1]], in: .cp949)
        let count = 4 * 64 * 1024 / line.count
        let bytes = Array([[UInt8]](repeating: line, count: count).joined())
        var sample = EncodingSample(bytes + (try Sample.log(Sample.russian, in: .koi8R)), by: 4096)
        sample.finish()
        #expect(sample.legacyLines == count + Sample.russian.count)
        #expect(sample.lines.reduce(0) { $0 + $1.count } <= 64 * 1024)
        #expect(sample.lines.count > 100)
        #expect(RecognisedEncoding(sample)?.encoding == .cp949)
    }

    @Test func `any bytes have an encoding or none`() {
        var random = SeededGenerator(seed: 5)
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in
                [0x0A, 0x1B, 0x24, 0x42, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
            }
            #expect(RecognisedEncoding(EncodingSample(bytes)) == RecognisedEncoding(EncodingSample(bytes, by: 3)))
        }
    }
}
