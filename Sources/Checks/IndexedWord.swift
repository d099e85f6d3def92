import Records
import SearchText
import Synchronization

/// A word of a message at its place.
struct IndexedWord: Sendable {
    /// The message's rowid in the index.
    let row: Int64
    /// A hash of word, row, column and place. Sums of hashes are equal by chance once in 2^64 times.
    let hash: UInt64

    /// - Parameters:
    ///   - column: The number of the column, 0 to 3.
    ///   - place: The number of words before it in the column, less than 2^32.
    ///   - word: ``hash(of:)`` of the word.
    init(row: Int64, column: Int64, place: Int64, word: UInt64) {
        self.row = row
        let place = UInt64(bitPattern: place << 2 | column)
        hash = Self.mixed(Self.mixed(word ^ UInt64(bitPattern: row)) &+ place)
    }

    /// Returns a hash of a word's bytes, which differs in every process.
    static func hash(of word: UnsafeRawBufferPointer) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(bytes: word)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Returns a number that differs for all numbers, by the steps of SplitMix64. `Hasher` takes five times as long.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var hash = number &+ 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }
}

/// Divides messages into the words that the search index should have for them.
final class WordDivider: Sendable {
    /// A message with its rowid in the index.
    struct Entry: Sendable {
        let row: Int64
        let entry: SearchEntry
    }

    private let tokenizer: Mutex<WordTokenizer>

    init() throws { tokenizer = Mutex(try WordTokenizer()) }

    /// Returns the words of messages, in any order.
    func words(of entries: [Entry]) throws -> [IndexedWord] {
        try tokenizer.withLock { tokenizer in
            var words: [IndexedWord] = []
            for entry in entries {
                let indexed = AnalysedEntry(entry.entry)
                // The columns of the index in their order.
                for (column, text) in zip(Int64(0)..., [indexed.body.text, indexed.body.chars, indexed.facets]) {
                    try tokenizer.forEachWord(of: text) { word, place in
                        let hash = IndexedWord.hash(of: word)
                        words.append(IndexedWord(row: entry.row, column: column, place: place, word: hash))
                    }
                }
            }
            return words
        }
    }
}
