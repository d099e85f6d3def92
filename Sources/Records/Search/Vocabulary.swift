import Bytes
import CGlibc
package import Schema
package import SearchText

/// The different words of an account's search index, to find those that have some letters.
///
/// A file is read from end to end, which takes 10 ms for a million words, the words of 10 million messages *(measured)*. A
/// shared archive has an index of each three letters.
package struct Vocabulary {
    private let db: ReadTransaction

    /// The number of letters that a shared archive's index has together.
    private static let indexedLetters = 3

    /// - Returns: Nil while the vocabulary lacks words of the index that is searched, because an earlier version built that
    ///   index.
    package init?(_ db: ReadTransaction) throws {
        self.db = db
        guard try db.isShared || Self.isComplete(db) else { return nil }
    }

    package static func isComplete(_ db: ReadTransaction) throws -> Bool {
        try db.holds(
            """
            SELECT EXISTS (SELECT 1 FROM vocabulary_state AS v JOIN search_index AS i ON i.name = '\(SearchIndex.name)'
              WHERE v.analyser = i.analyser AND v.analyser = \(Analyser.version))
            """)
    }

    /// Returns the words that have a part, each once, in no order.
    ///
    /// - Parameters:
    ///   - limit: The largest number of words.
    ///   - accepts: Decides about a word that has the part.
    /// - Returns: Nil if there are more words, and for fewer than three letters in a shared archive.
    package func words(
        with part: WordPart, limit: Int, where accepts: (String) -> Bool = { _ in true }
    ) throws -> [String]? {
        if db.isShared, part.letters.unicodeScalars.count < Self.indexedLetters { return nil }
        var found: Set<ExactString> = []
        func add(_ word: String) -> Void? {
            if accepts(word) { found.insert(ExactString(word)) }
            return found.count > limit ? () : nil
        }
        _ = try db.isShared ? readShared(part, wanted: limit + 1, add) : readFile(part, add)
        return found.count > limit ? nil : found.map(\.string)
    }

    private func readFile(_ part: WordPart, _ body: (String) -> Void?) throws -> Void? {
        let letters = Array(part.letters.utf8) + (part.isEnd ? [VocabularyRow.separator] : [])
        return try db.first("SELECT words FROM vocabulary") { row in
            VocabularyRow.first(in: row.bytes(0), with: letters, body)
        }
    }

    private func readShared(_ part: WordPart, wanted: Int, _ body: (String) -> Void?) throws -> Void? {
        try db.first(
            """
            SELECT word FROM scrollback.words(\(SharedStatement.account), ?1, \(String(part.isEnd)), ?2) AS words (word)
            """, [.text(part.letters), .integer(Int64(wanted))]
        ) { try body($0.text(0)) }
    }
}

/// The words of a row of `vocabulary`: UTF-8, each between two line feeds.
package enum VocabularyRow {
    static let separator = UInt8(ascii: "\n")

    /// Returns the first value that `body` returns for a word with these bytes; nil if it returns none.
    static func first<T>(
        in row: UnsafeRawBufferPointer, with letters: [UInt8], _ body: (String) -> T?
    ) -> T? {
        guard let start = row.baseAddress else { return nil }
        var place = 0
        while let found = memmem(start + place, row.count - place, letters, letters.count) {
            place = UnsafeRawPointer(found) - start
            let begin = row[..<place].lastIndex(of: separator).map { $0 + 1 } ?? 0
            let end = row[place...].firstIndex(of: separator) ?? row.count
            if let value = body(String(decoding: row[begin..<end], as: UTF8.self)) { return value }
            place = end
        }
        return nil
    }

    /// Calls `body` with the place of each word of a row, in their order.
    package static func forEachWord(of row: UnsafeRawBufferPointer, _ body: (Range<Int>) -> Void) {
        var start = 0
        for place in row.indices where row[place] == separator {
            if place > start { body(start..<place) }
            start = place + 1
        }
    }

    static func bytes(of words: [String]) -> [UInt8] {
        words.reduce(into: [separator]) { bytes, word in
            bytes += word.utf8
            bytes.append(separator)
        }
    }
}
