import SearchText
import TestSupport

/// Queries of one kind, which take about equally long.
struct SearchQueries: Sendable {
    let name: String
    let queries: [String]
    var isBounded = true
    /// True if they find nothing.
    var isEmpty = false

    /// Returns the queries of each kind: the ten most frequent words and ten random ones, the same in every run.
    static func all(_ words: SearchWords, smallRoom: String) -> [SearchQueries] {
        var random = SeededGenerator(seed: 2)
        func some(_ words: [String]) -> [String] { Array(words.shuffled(using: &random).prefix(10)) }
        let inner = words.latin.prefix(5000).filter { $0.count >= 9 }
        let common = words.latin.prefix(10) + some(Array(words.latin.prefix(200).dropFirst(10)))
        return [
            SearchQueries(name: "a common word", queries: Array(common)),
            SearchQueries(name: "a rare word", queries: some(words.rare) + some(words.rare)),
            SearchQueries(name: "two Korean syllables", queries: words.pairs.prefix(10) + some(words.pairs)),
            SearchQueries(name: "one syllable", queries: words.syllables.prefix(10) + some(words.syllables)),
            SearchQueries(name: "a common word in a small room", queries: common.map { "\($0) in:\(smallRoom)" }),
            SearchQueries(
                name: "from: alone", queries: (words.nicks.prefix(10) + some(words.nicks)).map { "from:\"\($0)\"" }),
            SearchQueries(
                name: "two common words", queries: zip(common, common.dropFirst()).map { "\($0) \($1)" },
                isBounded: false),
            SearchQueries(
                name: "prefix*", queries: some(Array(words.latin.prefix(2000))).map { "\($0.prefix(3))*" },
                isBounded: false),
            SearchQueries(
                name: "a phrase that ends in one character", queries: some(words.phrases), isBounded: false),
            SearchQueries(
                name: "*part*",
                // Generated chats have no words of nine letters.
                queries: some(inner.isEmpty ? words.latin.filter { $0.count >= 5 } : inner)
                    .map { "*\($0.dropFirst().dropLast())*" },
                isBounded: false),
        ]
    }
}

/// The words of a ``SampleChat``, sorted by the number of messages that have them.
struct SearchWords: Sendable {
    let latin: [String]
    /// Words of four letters or more that occur at most twice.
    let rare: [String]
    /// Pairs of Hangul syllables.
    let pairs: [String]
    let syllables: [String]
    let nicks: [String]
    /// Phrases such as `"가끔 궁"`.
    let phrases: [String]

    init(_ chat: SampleChat) {
        let words = Self.count(chat.latin.map { Analyser.analyse($0.text).text.split(separator: " ").map(String.init) })
            .filter { $0.word.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 } }
        latin = words.map(\.word)
        rare = words.filter { $0.count <= 2 && $0.word.count >= 4 }.map(\.word)
        let indexed = chat.korean.map(Analyser.analyse)
        pairs = Self.count(indexed.map { $0.text.split(separator: " ").map(String.init) }).map(\.word)
            .filter { $0.unicodeScalars.count == 2 && $0.unicodeScalars.allSatisfy(Self.isHangul) }
        syllables = Self.count(indexed.map { $0.chars.split(separator: " ").map(String.init) }).map(\.word)
            .filter { $0.unicodeScalars.allSatisfy(Self.isHangul) }
        nicks = Self.count(chat.latin.map { [$0.nick] }).map(\.word)
        phrases = chat.korean.compactMap { text in
            let words = text.split(separator: " ")
            return words.count > 1 ? "\"\(words[0]) \(words[1].prefix(1))\"" : nil
        }
    }

    private static func count(_ messages: [[String]]) -> [(word: String, count: Int)] {
        var counts: [String: Int] = [:]
        for message in messages {
            for word in Set(message) { counts[word, default: 0] += 1 }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    private static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
        (0xAC00...0xD7A3).contains(scalar.value)
    }
}
