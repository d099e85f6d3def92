import SearchText
import Testing

/// The words that a writer has met.
@Suite struct KnownWordsTests {
    private static func new(_ texts: [String], _ known: inout KnownWords) -> [String] {
        var bytes: [UInt8] = []
        for text in texts {
            known.append(newWordsOf: Analyser.analyse(text), to: &bytes, separator: UInt8(ascii: "\n"))
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `a word is new once, in any spelling`() {
        var known = KnownWords()
        #expect(Self.new(["Boot the server", "BOOT it", "Éa"], &known) == ["boot", "the", "server", "it", "ea"])
        #expect(Self.new(["the ea boots 서버 ไทย👍"], &known) == ["boots"])
    }

    @Test func `words that begin or end alike are different`() {
        var known = KnownWords()
        let words =
            (1...40).map { String(repeating: "a", count: $0) }
            + (1...40).map { String(repeating: "a", count: $0) + "b" }
        #expect(Self.new(words, &known) == words)
    }

    @Test func `beyond the limit of kept words, each is new at least once, and a frequent one only once`() {
        var known = KnownWords()
        let found = Self.new((0..<200_000).map { "the w\($0)" }, &known)
        #expect(Set(found).count == 200_001)
        #expect(found.count { $0 == "the" } < 10)
    }
}
