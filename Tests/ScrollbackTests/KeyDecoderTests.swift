import Testing

@testable import ChatClient

struct KeyDecoderTests {
    private static let esc = "\u{1B}"

    static let inputs: [(String, [Key])] = [
        ("한글 é", text("한글 é")), ("e\u{301}", text("e\u{301}")), ("👨‍👩‍👧‍👦", text("👨‍👩‍👧‍👦")),
        ("\r\n", [.enter, .enter]), ("\u{7F}\u{8}", [.backspace, .backspace]),
        ("\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}", [.home, .left, .interrupt, .endOfInput, .end, .right]),
        ("\u{B}\u{C}\u{15}\u{17}\u{1A}", [.eraseToEnd, .clear, .eraseToStart, .eraseWord, .suspend]),
        ("\u{0}\t\u{12}\u{1C}\u{9B}A", text("A")),
        (
            "\(esc)[D\(esc)[C\(esc)[H\(esc)[F\(esc)OD\(esc)OC\(esc)OH\(esc)OF",
            [.left, .right, .home, .end, .left, .right, .home, .end]
        ),
        ("\(esc)[1~\(esc)[4~\(esc)[7~\(esc)[8~\(esc)[3~", [.home, .end, .home, .end, .delete]),
        ("\(esc)[1;5D\(esc)[3;2~", [.left, .delete]),
        ("\(esc)[Aa\(esc)[15~b\(esc)[?1;2cc\(esc)[<0;1;2Md\(esc)[1 De\(esc)[[Af\(esc)OPg\(esc)xh", text("abcdefgh")),
        ("\(esc)[\(String(repeating: "1", count: 100))Da", text("a")),
        ("\(esc)\(esc)[Da", [.left] + text("a")), ("\(esc)[\rb", [.enter] + text("b")),
        ("\(esc)\u{7F}", [.eraseWord]), ("\(esc)한", text("한")),
        ("\(esc)[200~a\nb\r\nc\n\nd\te\n\(esc)[201~f\r", text("a b c d ef") + [.enter]),
        ("\(esc)[200~\n\na\(esc)[201~", text("a")),
        ("\(esc)[200~\(esc)[31mx\(esc)[201\(esc)[201~y", text("[31mx[201y")),
        ("\(esc)[200~a\u{3}\u{3}", text("a") + [.interrupt]),
        ("\(esc)[201~a", text("a")),
    ]

    @Test(arguments: inputs)
    func `keys are decoded at every split of the input`(input: String, keys: [Key]) {
        let bytes = Array(input.utf8)
        for split in 0...bytes.count {
            var decoder = KeyDecoder()
            #expect(decoder.decode(Array(bytes[..<split])) + decoder.decode(Array(bytes[split...])) == keys)
        }
        var decoder = KeyDecoder()
        #expect(bytes.flatMap { decoder.decode([$0]) } == keys)
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xEA, 0xB0],
            [0xE0, 0x80, 0x80],
        ] as [[UInt8]])
    func `invalid UTF-8 is dropped, and the rest is kept`(bytes: [UInt8]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(bytes + Array("a가".utf8)) == Self.text("a가"))
    }

    @Test func `random input gives no control character`() {
        var decoder = KeyDecoder()
        var generator = SystemRandomNumberGenerator()
        let keys = (0..<200).flatMap { _ in
            decoder.decode((0..<200).map { _ in Bool.random(using: &generator) ? UInt8.random(in: 0...255) : 0x1B })
        }
        #expect(
            keys.allSatisfy { key in
                guard case .scalar(let scalar) = key else { return true }
                return scalar.properties.generalCategory != .control
            })
    }

    private static func text(_ text: String) -> [Key] {
        text.unicodeScalars.map(Key.scalar)
    }
}
