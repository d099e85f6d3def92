import Foundation
import SearchText
import TestSupport
import Testing

/// Every code point, against the tokenizer that it has to pass.
@Suite struct CodePointTests {
    /// All planes that hold something, of which the last are private ones.
    private static let all = [0...0x3FFFF, 0xE0000...0xE0FFF, 0xF0000...0xF0FFF].joined().compactMap(
        Unicode.Scalar.init)

    /// All of them, inside a word and alone. The accent keeps the analyser from passing plain text on as it is.
    private static let analysed = stride(from: 0, to: all.count, by: 1024).map { start in
        Analyser.analyse("é " + all[start...].prefix(1024).map { "zq\($0)qz \($0)" }.joined(separator: " "))
    }

    /// - Returns: the tokens that are not in both, by code points.
    private static func difference(_ text: String, _ tokens: [String]) -> Set<[Unicode.Scalar]> {
        let written = text.unicodeScalars.split(separator: " ").map { Array($0) }
        return Set(written).symmetricDifference(tokens.map { Array($0.unicodeScalars) })
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `the tokenizer neither splits nor folds the analyser's output further`() throws {
        let texts = Self.analysed.map(\.text)
        for (text, tokens) in zip(texts, try Unicode61.tokens(of: texts)) {
            #expect(Self.difference(text, tokens) == [])
        }
    }

    @Test
    func `characters are separate tokens in their column`() throws {
        let texts = Self.analysed.map(\.chars)
        for (text, tokens) in zip(texts, try Unicode61.tokens(of: texts)) {
            #expect(Self.difference(text, tokens) == [])
        }
    }

    @Test
    func `letters that the tokenizer folds alike are alike`() throws {
        let words = (0...0xFFFF).compactMap(Unicode.Scalar.init).map { "zq\($0)qz" }
        let tokens = try Unicode61.tokens(of: words)
        let same = Dictionary(
            grouping: zip(words, tokens).filter { $1.count == 1 }, by: { Array($1[0].unicodeScalars) })
        for (_, group) in same where group.count > 1 {
            let analysed = Set(group.map { Array(Analyser.analyse("é " + $0.0).text.unicodeScalars) })
            #expect(analysed.count == 1, "\(group.map(\.0))")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `composed and decomposed forms are the same`() {
        let composed = [0x80...0x33FF, 0xAC00...0xD7A3, 0xF900...0xFFFF, 0x11000...0x16FFF].joined()
        for scalar in composed.compactMap(Unicode.Scalar.init) {
            let composed = "é zq\(scalar)qz"
            let decomposed = composed.decomposedStringWithCanonicalMapping
            guard composed.unicodeScalars.count < decomposed.unicodeScalars.count else { continue }
            #expect(Analyser.analyse(composed) == Analyser.analyse(decomposed), "\(scalar.value)")
        }
    }

    /// When this fails, a new compiler or a change has given a text other words: raise ``Analyser/version``, then put the
    /// new digest here.
    @Test
    func `the digest of the analysed texts belongs to this version`() {
        let digest = Self.analysed
            .flatMap { [$0.text, $0.chars] }
            .reduce(14_695_981_039_346_656_037) { Self.digest($0, $1) }
        #expect(Analyser.version == 7)
        #expect(digest == 8_219_522_189_393_565_882)
    }

    /// FNV-1a of 64 bits.
    private static func digest(_ start: UInt64, _ text: String) -> UInt64 {
        text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
