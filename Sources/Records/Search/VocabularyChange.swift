import SQLite
import Schema
import SearchText

/// What a batch changes in the vocabulary: the words that it may lack, and words that may be in no message any more.
struct VocabularyChange {
    private var known = KnownWords()
    /// The vocabulary's epoch for which ``known`` is true.
    private var epoch: Int64?
    /// The words to add, each after a line feed.
    private var new: [UInt8] = []
    private var gone: Set<[UInt8]> = []

    /// The rows of new words, and their size in bytes; nil if that is not known.
    private var unsorted: (rows: Int, bytes: Int)?

    /// The number of rows with new words at which they are sorted into the others. A search reads the new words like the
    /// others.
    private static let mostRows = 128
    /// The limits of the size at which new words are sorted: an eighth of all words, because a sorting of many reads and writes
    /// most rows. Words that ``KnownWords`` forgot are among them a second time.
    private static let mostBytes = (64 << 10)...(512 << 10)

    /// Begins a batch. Call it in the batch's transaction, before any note.
    mutating func begin(_ db: Database) throws {
        // A damaged value must not keep messages from being stored.
        let state = try db.cachedStatement(sql: "SELECT CAST(epoch AS INTEGER) FROM vocabulary_state")
        let epoch = try state.first({ _ in }) { try $0.number(0) }
        if epoch != self.epoch { (known, unsorted) = (KnownWords(), nil) }
        self.epoch = epoch
    }

    /// Notes that the index has another text of a message.
    ///
    /// - Parameters:
    ///   - old: The text before; nil if the index did not have the message.
    ///   - new: Nil if the index does not have the message any more.
    mutating func note(_ old: IndexedText?, _ new: IndexedText?) {
        guard old?.text != new?.text else { return }
        if let old {
            old.forEachWord { gone.insert(Array($0)) }
            new?.forEachWord { gone.remove(Array($0)) }
        }
        if let new { known.append(newWordsOf: new, to: &self.new, separator: VocabularyRow.separator) }
    }

    /// Writes what was noted, after the index was written.
    mutating func flush(_ db: Database) throws {
        if !new.isEmpty { try flushNew(db) }
        if !gone.isEmpty {
            let insertion = try db.cachedStatement(sql: "INSERT OR IGNORE INTO vocabulary_gone (word) VALUES (?)")
            for word in gone { try insertion.execute { $0.bind(1, String(decoding: word, as: UTF8.self)) } }
            gone = []
        }
        // Each batch does a step, also for what earlier batches left.
        _ = try VocabularyRows.removeGone(db)
    }

    private mutating func flushNew(_ db: Database) throws {
        new.append(VocabularyRow.separator)
        try db.cachedStatement(sql: "INSERT INTO vocabulary (words) VALUES (?)").execute {
            $0.bind(1, String(decoding: new, as: UTF8.self))
        }
        var unsorted = try unsorted.map { (rows: $0.rows + 1, bytes: $0.bytes + new.count) } ?? Self.unsorted(db)
        new.removeAll(keepingCapacity: true)
        if try unsorted.rows >= Self.mostRows
            || unsorted.bytes > Self.mostBytes.lowerBound && isLarge(unsorted.bytes, db)
        {
            try VocabularyRows.sortNew(db)
            unsorted = (0, 0)
        }
        self.unsorted = unsorted
    }

    /// Returns true if new words of a size are many beside the sorted ones.
    private func isLarge(_ bytes: Int, _ db: Database) throws -> Bool {
        let rows = try db.cachedStatement(sql: "SELECT count(*) FROM vocabulary WHERE first IS NOT NULL")
            .first({ _ in }) { try Int($0.integer(0)) }
        return bytes > min((rows ?? 0) * VocabularyRows.rowBytes / 8, Self.mostBytes.upperBound)
    }

    private static func unsorted(_ db: Database) throws -> (rows: Int, bytes: Int) {
        let sql = "SELECT count(*), ifnull(sum(length(CAST(words AS BLOB))), 0) FROM vocabulary WHERE first IS NULL"
        return try db.cachedStatement(sql: sql).first({ _ in }) { try (Int($0.integer(0)), Int($0.integer(1))) } ?? (
            0, 0
        )
    }
}
