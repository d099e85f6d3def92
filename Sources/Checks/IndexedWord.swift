import Records
import SearchText
import Synchronization

/// A word of a message at its place.
struct IndexedWord: Sendable {
    /// The message's rowid in the index.
    let row: Int64
    /// A hash of word, row, column and place. Sums of hashes are equal by chance once in 2^64 times.
    let hash: UInt64

    init(row: Int64, column: UnsafeRawBufferPointer, place: Int64, word: UnsafeRawBufferPointer) {
        self.row = row
        var hasher = Hasher()
        hasher.combine(row)
        hasher.combine(place)
        hasher.combine(bytes: column)
        hasher.combine(bytes: word)
        hash = UInt64(bitPattern: Int64(hasher.finalize()))
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
                try Self.add(indexed.body.text, of: "text", entry.row, tokenizer, &words)
                try Self.add(indexed.body.chars, of: "chars", entry.row, tokenizer, &words)
                try Self.add(indexed.facets, of: "facets", entry.row, tokenizer, &words)
            }
            return words
        }
    }

    private static func add(
        _ text: String, of column: StaticString, _ row: Int64, _ tokenizer: WordTokenizer, _ words: inout [IndexedWord]
    ) throws {
        let column = UnsafeRawBufferPointer(start: column.utf8Start, count: column.utf8CodeUnitCount)
        try tokenizer.forEachWord(of: text) { word, place in
            words.append(IndexedWord(row: row, column: column, place: place, word: word))
        }
    }
}
