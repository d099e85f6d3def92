import CSQLite
package import SQLite
import Schema
import SearchText

/// Changes the rows of `vocabulary`. Call it in a transaction.
package enum VocabularyRows {
    /// The limit of a row's words in bytes: two rows fit on a page of 4 KiB.
    static let rowBytes = 1900
    /// The number of words that one step looks up, at 0.1 ms each *(measured)*.
    private static let step = 64

    /// Deletes all words.
    static func clear(_ db: Database) throws {
        try db.withSecureDelete {
            try db.execute(
                sql: """
                    DELETE FROM vocabulary;
                    DELETE FROM vocabulary_gone;
                    INSERT OR REPLACE INTO vocabulary_state (id, analyser, epoch) VALUES (1, 0, random());
                    """)
        }
    }

    /// Moves the new words to the sorted ones.
    static func sortNew(_ db: Database) throws {
        var new: [UInt8] = []
        try db.cachedStatement(sql: "SELECT words FROM vocabulary WHERE first IS NULL").forEach({ _ in }) { row in
            new += row.bytes(0)
        }
        guard !new.isEmpty else { return }
        try db.cachedStatement(sql: "DELETE FROM vocabulary WHERE first IS NULL").execute()
        try change(WordList(sorting: new), isRemoval: false, db)
    }

    /// Removes words of the table `vocabulary_gone` that no message has.
    ///
    /// - Returns: True if there may be more to remove.
    package static func removeGone(_ db: Database) throws -> Bool {
        let words = try db.cachedStatement(sql: "SELECT word FROM vocabulary_gone LIMIT \(step)").all {
            String(decoding: $0.bytes(0), as: UTF8.self)
        }
        guard !words.isEmpty else { return false }
        let tables = try SearchReach.all(ReadTransaction(db)).filter { $0.analyser == Analyser.version }.map(\.name)
        let unused = try words.filter { word in try !tables.contains { try has(word, $0, db) } }
        try db.withSecureDelete {
            if !unused.isEmpty {
                try sortNew(db)
                try change(WordList(sorting: VocabularyRow.bytes(of: unused)), isRemoval: true, db)
                try db.cachedStatement(sql: "UPDATE vocabulary_state SET epoch = random()").execute()
            }
            try db.cachedStatement(
                sql: "DELETE FROM vocabulary_gone WHERE word IN (SELECT word FROM vocabulary_gone LIMIT \(step))"
            ).execute()
        }
        return words.count == step
    }

    /// Writes all rows to unused pages: SQLite does not overwrite what it moves from page to page, so a page may have a trace
    /// of a removed word. A million words take about 0.1 s.
    package static func rewrite(_ db: Database) throws {
        let rows = try db.cachedStatement(sql: "SELECT first, words FROM vocabulary ORDER BY first").all { row in
            try (first: row.optionalText(0), words: row.text(1))
        }
        // Without a condition, SQLite frees all pages, and overwrites each when it is used again.
        try db.execute(sql: "DELETE FROM vocabulary; DELETE FROM vocabulary_gone")
        let insertion = try db.cachedStatement(sql: "INSERT INTO vocabulary (first, words) VALUES (?, ?)")
        for row in rows {
            try insertion.execute {
                $0.bind(1, row.first)
                $0.bind(2, row.words)
            }
        }
    }

    /// Returns true if a message in the index has the word. A damaged index has every word.
    private static func has(_ word: String, _ table: String, _ db: Database) throws -> Bool {
        do {
            let statement = try db.cachedStatement(sql: "SELECT 1 FROM \(table) WHERE \(table) MATCH ? LIMIT 1")
            return try statement.first({ $0.bind(1, "text : \"\(word.replacing("\"", with: "\"\""))\"") }) { _ in true }
                ?? false
        } catch let error as DatabaseError where error.primaryCode == SQLITE_CORRUPT {
            return true
        }
    }

    /// Adds or removes words in the rows where they belong. Changed rows beside each other become full ones.
    private static func change(_ words: WordList, isRemoval: Bool, _ db: Database) throws {
        let find = try db.cachedStatement(
            sql: "SELECT id, first, words FROM vocabulary WHERE first <= ? ORDER BY first DESC LIMIT 1")
        let findNext = try db.cachedStatement(
            sql: "SELECT first FROM vocabulary WHERE first > ? ORDER BY first LIMIT 1")
        let deletion = try db.cachedStatement(sql: "DELETE FROM vocabulary WHERE id = ?")
        // The words of the changed rows that are not written yet, and the first word of the row after them.
        var (open, following): ([UInt8], [UInt8]?) = ([], nil)
        var place = 0
        while place < words.indices.upperBound {
            let text = words.text(place)
            let row = try find.first({ $0.bind(1, text) }) {
                try (id: $0.integer(0), first: Array($0.bytes(1)), words: Array($0.bytes(2)))
            }
            let next = try findNext.first({ $0.bind(1, text) }) { Array($0.bytes(0)) }
            let end = words.end(before: next, from: place)
            let old = row?.words ?? []
            let changed = old.withUnsafeBytes { words.changed($0, at: place..<end, isRemoval: isRemoval) }
            place = end
            let isBeside = row != nil && row?.first == following
            if !isBeside { try write(&open, all: true, db) }
            guard changed.count != max(old.count, 1) else {
                following = nil
                try write(&open, all: true, db)
                continue
            }
            if let row { try deletion.execute { $0.bind(1, row.id) } }
            open += open.isEmpty ? changed[...] : changed.dropFirst()
            following = next
            try write(&open, all: false, db)
        }
        try write(&open, all: true, db)
    }

    /// Writes words to new rows, each as full as fits.
    ///
    /// - Parameters:
    ///   - words: Keeps the words that were not written.
    ///   - all: True to write all of them, in rows of about the same size; else only full rows.
    private static func write(_ words: inout [UInt8], all: Bool, _ db: Database) throws {
        let insertion = try db.cachedStatement(sql: "INSERT INTO vocabulary (first, words) VALUES (?, ?)")
        var start = 0
        while words.count - start > 1, all || words.count - start > 2 * rowBytes {
            let left = words.count - start
            let size = all ? left / ((left - 1) / rowBytes + 1) : rowBytes
            let end = endOfRow(words, from: start, size: size)
            let row = words[start...end]
            try insertion.execute {
                $0.bind(1, String(decoding: row.dropFirst().prefix { $0 != VocabularyRow.separator }, as: UTF8.self))
                $0.bind(2, String(decoding: row, as: UTF8.self))
            }
            start = end
        }
        words = words.count - start > 1 ? Array(words[start...]) : []
    }

    /// Returns the place of the separator at the end of a row: the last one that fits, or that after the first word.
    private static func endOfRow(_ words: [UInt8], from start: Int, size: Int) -> Int {
        let limit = min(start + size, words.count - 1)
        if limit == words.count - 1 { return limit }
        return words[(start + 1)...limit].lastIndex(of: VocabularyRow.separator)
            ?? words[limit...].firstIndex(of: VocabularyRow.separator) ?? words.count - 1
    }
}
