import Records
import SQLite
import Schema
import SearchText

/// Finds words of the search index that the vocabulary lacks. A search for parts of words does not find their messages.
///
/// Reads the words of the index in their order, some at a time, each with the rows of the vocabulary in which they must be,
/// in one read transaction.
enum VocabularyCheck {
    /// The number of words that one transaction reads. Reading a word of the index takes as long as reading its places.
    private static let step = 10_000

    static func run(_ db: Database, progress: (Double) -> Void) throws -> [String] {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.vocabulary_words;
                CREATE VIRTUAL TABLE temp.vocabulary_words USING fts5vocab(main, \(SearchIndex.name), col);
                """)
        var (missing, last) = (0, [UInt8]?.some([]))
        while let after = last {
            try db.inSavepoint {
                guard try Vocabulary.isComplete(ReadTransaction(db)) else {
                    (missing, last) = (0, nil)
                    return
                }
                let words = try words(after: after, db)
                last = words.count == step ? words.last : nil
                missing += try lacking(words, db)
            }
            progress(last.flatMap(\.first).map { min(1, Double($0) / 128) } ?? 1)
        }
        return missing == 0
            ? [] : ["the vocabulary lacks \(missing) \(missing == 1 ? "word" : "words") of the search index"]
    }

    private static func words(after word: [UInt8], _ db: Database) throws -> [[UInt8]] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT term FROM temp.vocabulary_words WHERE term > CAST(? AS TEXT) AND col = 'text' ORDER BY term LIMIT \(step)
                """)
        return try statement.all(arguments: [String(decoding: word, as: UTF8.self)]) { Array($0.bytes(0)) }
    }

    /// Returns the number of words that the vocabulary lacks, of words in their order.
    private static func lacking(_ words: [[UInt8]], _ db: Database) throws -> Int {
        var expected: Set<[UInt8]> = []
        for word in words {
            IndexedText(text: String(decoding: word, as: UTF8.self), chars: "").forEachWord {
                expected.insert(Array($0))
            }
        }
        guard let first = words.first, let last = words.last, !expected.isEmpty else { return 0 }
        let rows = try db.cachedStatement(
            sql: """
                SELECT words FROM vocabulary WHERE first IS NULL
                UNION ALL SELECT words FROM vocabulary WHERE first <= ?2
                  AND first >= ifnull((SELECT max(first) FROM vocabulary WHERE first <= ?1), ?1)
                """)
        let bounds = [first, last].map { String(decoding: $0, as: UTF8.self) }
        try rows.forEach({ (parameters: inout Statement.Parameters) in
            parameters.bind(1, bounds[0])
            parameters.bind(2, bounds[1])
        }) { row in
            let bytes = row.bytes(0)
            VocabularyRow.forEachWord(of: bytes) { expected.remove(Array(bytes[$0])) }
        }
        return expected.count
    }
}
