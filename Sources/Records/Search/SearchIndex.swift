import CSQLite
import ChatModel
package import SQLite
package import Schema
import SearchText

/// Writes `message_search`, in the transaction of the messages themselves.
///
/// Joins, leaves, renames and modes are not indexed, because users don't search for their words, and `from:` would find
/// few other messages.
package struct SearchIndex {
    package static let name = Schema.searchIndex
    /// The name of the index that is being built, if there is one.
    static let next = "message_search_next"

    /// The changes of the current batch. They are written together in the order of the rowids: FTS5 flushes whenever a
    /// row has a lower rowid than the one before it, which costs two thirds of the speed *(measured)*.
    ///
    /// Loops use their places, because a loop over the changes copies each.
    private var waiting: [Change] = []
    /// The new entries of the changes that take long to analyse.
    private var analysis = AnalysedEntries()
    /// The indices of ``waiting`` by message id; nil until a message changes, as most batches only add messages.
    private var places: [Int64: Int]?
    /// The statements by the table's name.
    private var statements: [String: Statements] = [:]
    private var vocabulary = VocabularyChange()
    /// False for an index that has no vocabulary beside it.
    package var hasVocabulary = true
    /// False if the caller rolls the transaction back and repeats it after ``DamagedIndexError``. A savepoint keeps a copy
    /// of each page, which a batch of 1,000 messages writes to a temporary file: 4% of the time of storing them
    /// *(measured)*.
    package var hasSavepoints = true

    package init() {}

    private struct Statements {
        var insertion: Statement
        var deletion: Statement

        init(_ table: String, _ db: Database) throws {
            insertion = try db.makeStatement(
                sql: "INSERT INTO \(table) (rowid, text, chars, facets) VALUES (?, ?, ?, ?)", keepsValues: true)
            deletion = try db.makeStatement(
                sql: "INSERT INTO \(table) (\(table), rowid, text, chars, facets) VALUES ('delete', ?, ?, ?, ?)",
                keepsValues: true)
        }
    }

    struct Change {
        let id: Int64
        /// The entry in the index; nil for a message that the index does not have.
        var old: SearchEntry?
        /// Nil for a message that is removed.
        var new: SearchEntry?
        /// The number of `new` in ``AnalysedEntries``; nil if it is not there.
        var number: Int?
        /// False if the message is new, and no later message was stored before it.
        let mayBeLate: Bool

        init(old: SearchEntry?, new: SearchEntry, number: Int?, mayBeLate: Bool = true) {
            (id, self.old, self.new, self.number, self.mayBeLate) = (new.id, old, new, number, mayBeLate)
        }

        init(removed old: SearchEntry) { (id, self.old, mayBeLate) = (old.id, old, true) }
    }

    /// - Parameter isLate: True if later messages are already stored.
    package mutating func add(_ entry: SearchEntry, isLate: Bool) {
        note(Change(old: nil, new: entry, number: analysis.analyse(entry), mayBeLate: isLate))
    }

    /// - Parameter old: The message, as in ``change(_:to:)``. No other change of it waits.
    package mutating func remove(_ old: SearchEntry) { note(Change(removed: old)) }

    /// - Parameter old: The message before the change, read in the same transaction: FTS5 removes the words that it
    ///   gets, and one wrong word passes its checks and damages the index later *(measured)*.
    package mutating func change(_ old: SearchEntry, to new: SearchEntry) {
        if places == nil {
            places = Dictionary(waiting.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
        }
        if let place = places?[old.id] {
            (waiting[place].new, waiting[place].number) = (new, nil)
        } else {
            note(Change(old: old, new: new, number: analysis.analyse(new)))
        }
    }

    private mutating func note(_ change: consuming Change) {
        places?[change.id] = waiting.count
        waiting.append(change)
    }

    /// Writes the waiting changes to every index that reaches back to their messages. Filling brings the other messages
    /// to an index.
    package mutating func flush(_ db: Database) throws {
        guard !waiting.isEmpty else { return }
        let (changes, analysis) = (inOrder(), analysis)
        waiting.removeAll(keepingCapacity: true)
        self.analysis = AnalysedEntries()
        places = nil
        try MessageDigests.apply(changes, db)
        try MessageCounts.apply(changes, db)
        try vocabulary.begin(db)
        for index in try SearchReach.all(ReadTransaction(db)) {
            // The words that another analyser made of a text are unknown, so they can't be removed. Such an index keeps
            // the earlier text of changed messages until a rebuilt index replaces it.
            let isCurrent = index.analyser == Analyser.version
            func isDue(_ place: Int) -> Bool {
                changes[place].id >= index.from && (isCurrent || changes[place].old == nil)
            }
            // Usually all are due. They are large, so a copy costs memory.
            let due = changes.indices.allSatisfy(isDue) ? changes : changes.indices.filter(isDue).map { changes[$0] }
            if !due.isEmpty { _ = try writeOrAbandon(due, analysis, to: index, db) }
        }
        try vocabulary.flush(db)
        try SearchRows.leave(changes.indices.lazy.filter { changes[$0].new == nil }.map { changes[$0].id }, db)
    }

    /// Returns the waiting changes in the order of their ids.
    private func inOrder() -> [Change] {
        let isSorted = waiting.indices.dropFirst().allSatisfy { waiting[$0 - 1].id < waiting[$0].id }
        // Sorts only the indices, because changes are large and sorting moves its elements often.
        return isSorted
            ? waiting : waiting.indices.sorted { waiting[$0].id < waiting[$1].id }.map { waiting[$0] }
    }

    /// Inserts entries. A damaged index is abandoned, so that it does not keep messages from being stored.
    ///
    /// - Parameter entries: Entries in the order of their ids.
    /// - Returns: True if the index has the entries; false if another index is being built.
    mutating func insertOrAbandon(_ entries: [SearchEntry], into index: SearchReach, _ db: Database) throws -> Bool {
        let (changes, analysis) = Self.additions(of: entries)
        try vocabulary.begin(db)
        guard try writeOrAbandon(changes, analysis, to: index, db) else { return false }
        try vocabulary.flush(db)
        return true
    }

    private static func additions(of entries: [SearchEntry]) -> ([Change], AnalysedEntries) {
        var analysis = AnalysedEntries()
        let changes = entries.map { Change(old: nil, new: $0, number: analysis.analyse($0)) }
        return (changes, analysis)
    }

    private mutating func writeOrAbandon(
        _ changes: [Change], _ analysis: AnalysedEntries, to index: SearchReach, _ db: Database
    ) throws -> Bool {
        do {
            if hasSavepoints {
                try db.inSavepoint { try write(changes, analysis, to: index, db) }
            } else {
                try write(changes, analysis, to: index, db)
            }
            return true
        } catch let error as DatabaseError where error.isIndexError {
            guard hasSavepoints else { throw DamagedIndexError() }
            statements = [:]
            try SearchFilling.abandon(index.name, db)
            return false
        }
    }

    private mutating func write(
        _ changes: [Change], _ analysis: AnalysedEntries, to index: SearchReach, _ db: Database
    ) throws {
        let statements = try statements(of: index.name, db)
        let isLarge = changes.count >= Self.largeBatch
        if isLarge { try setMergedSegments(12, of: index.name, db) }
        let rows = try rows(of: changes, in: index, db)
        try write(changes, analysis, rows: rows, by: statements)
        // A savepoint makes FTS5 write now. At COMMIT an error would not name its table.
        try db.inSavepoint {}
        if isLarge { try setMergedSegments(Self.mergedSegments, of: index.name, db) }
    }

    /// Returns the rowids of the changes.
    ///
    /// - Parameter changes: Changes in the order of their ids.
    private func rows(of changes: [Change], in index: SearchReach, _ db: Database) throws -> [Int64] {
        let places = changes.indices
        guard index.hasSlots else { return places.map { changes[$0].id } }
        let new = places.filter { changes[$0].old == nil }
        let areNewest = !new.contains { changes[$0].mayBeLate }
        var added = try SearchRows.take(new.map { changes[$0].id }, areNewest: areNewest, db)[...]
        return try places.map { place in
            try changes[place].old == nil ? added.removeFirst() : SearchRows.row(of: changes[place].id, db)
        }
    }

    /// The number of changes from which a batch leaves the index in more segments for a while, to be merged later: an
    /// import then writes a fifth less *(measured)*.
    private static let largeBatch = 1001
    /// FTS5's usual number of segments of one level that it merges.
    private static let mergedSegments = 4

    /// Sets the number of segments of one level at which FTS5 begins to merge them (its option `automerge`).
    private func setMergedSegments(_ count: Int, of table: String, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO \(table) (\(table), rank) VALUES ('automerge', ?)")
            .execute(arguments: [count])
    }

    /// - Parameter rows: The entries' rowids.
    package mutating func insert(_ entries: [SearchEntry], rows: [Int64], into table: String, _ db: Database) throws {
        let (changes, analysis) = Self.additions(of: entries)
        if hasVocabulary { try vocabulary.begin(db) }
        try write(changes, analysis, rows: rows, by: statements(of: table, db))
        if hasVocabulary { try vocabulary.flush(db) }
    }

    private mutating func write(
        _ changes: [Change], _ analysis: AnalysedEntries, rows: [Int64], by statements: Statements
    ) throws {
        let (insertion, deletion) = (statements.insertion, statements.deletion)
        let analysed = analysis.analysed()
        for place in SearchRows.order(rows) {
            let old = changes[place].old.map(AnalysedEntry.init)
            if let old { try execute(deletion, rows[place], old) }
            let new = changes[place].number.flatMap { analysed[$0] } ?? changes[place].new.map(AnalysedEntry.init)
            if let new { try execute(insertion, rows[place], new) }
            if hasVocabulary { vocabulary.note(old?.body, new?.body) }
        }
    }

    private mutating func statements(of table: String, _ db: Database) throws -> Statements {
        if let known = statements[table] { return known }
        let made = try Statements(table, db)
        statements[table] = made
        return made
    }

    private func execute(_ statement: Statement, _ rowid: Int64, _ indexed: AnalysedEntry) throws {
        try statement.execute { row in
            row.bind(1, rowid)
            row.bind(2, indexed.body.text)
            row.bind(3, indexed.body.chars)
            row.bind(4, indexed.facets)
        }
    }
}

/// An index can't be written. The transaction is to be rolled back and repeated with savepoints, which abandons the index.
package struct DamagedIndexError: Error {}

extension DatabaseError {
    /// True for an error of the index itself, not of the disk or of other processes. FTS5 may run out of memory for a
    /// length read from a damaged index.
    fileprivate var isIndexError: Bool {
        !isStorageError || [SQLITE_CORRUPT, SQLITE_NOMEM].contains(primaryCode)
    }
}

/// An index and the earliest message that it reaches.
package struct SearchReach: Sendable, Hashable {
    package var name: String
    package var analyser: Int
    /// The index has the messages with this id or a later one.
    package var from: Int64

    /// True for an index with the rowids of ``SearchRows``; false for one in which the id is the rowid.
    package var hasSlots: Bool { analyser >= SearchRows.firstAnalyser }

    /// Returns the index and the next one, if they are registered. A damaged file may have other names.
    package static func all(_ db: ReadTransaction) throws -> [SearchReach] {
        let sql: SQLText = """
            SELECT name, analyser, from_us FROM search_index
            WHERE name IN ('\(SearchIndex.name)', '\(SearchIndex.next)') ORDER BY name
            """
        return try db.all(sql) { row in
            try SearchReach(name: row.text(0), analyser: Int(row.integer(1)), from: row.limit(2))
        }
    }
}
