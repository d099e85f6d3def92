package import ChatModel
package import SQLite
import Schema
import SearchText

/// Adds older messages to an index, from the newest down, one batch in each transaction. It can stop after any batch
/// and continue from there.
package enum SearchFilling {
    /// The number of messages in one transaction: about 30 ms, so that new messages do not wait long.
    static let batch = 2000

    /// Fills the next index if there is one, or else the current index, and then the counts and the digests of the
    /// messages. Rebuilds an index that is damaged or that another analyser made. A damaged next index is an error.
    package static func step(_ db: Database) throws -> IndexProgress {
        let tables = ReadTransaction(db)
        let newest = try SearchReach.all(tables).last
        if try newest?.analyser != Analyser.version
            || newest?.name == SearchIndex.name && !Vocabulary.isComplete(tables)
        {
            try begin(analyser: Analyser.version, db)
        }
        guard let reach = try SearchReach.all(tables).last, reach.from > .min || reach.name == SearchIndex.next else {
            return IndexProgress(from: try fillRest(db).map { MessageID(microseconds: $0) }, added: 0)
        }
        let entries =
            try db.all(
                sql: """
                    SELECT \(SearchEntry.columns) FROM message NOT INDEXED
                    WHERE noise = 0 AND id < ? ORDER BY id DESC LIMIT ?
                    """,
                arguments: [reach.from, batch]
            ) { try SearchEntry($0) }.reversed() as [SearchEntry]
        var index = SearchIndex()
        if reach.name == SearchIndex.next {
            let rows = try SearchRows.take(entries.map(\.id), db)
            try index.insert(entries, rows: rows, into: reach.name, db)
        } else if try !index.insertOrAbandon(entries, into: reach, db) {
            return IndexProgress(from: MessageID(microseconds: reach.from), added: 0)
        }
        let from = entries.count == batch ? entries[0].id : .min
        try db.execute(sql: "UPDATE search_index SET from_us = ? WHERE name = ?", arguments: [from, reach.name])
        // Releases the statement before its table is renamed.
        index = SearchIndex()
        if from == .min, reach.name == SearchIndex.next { try swap(db) }
        let next = from == .min ? try fillRest(db) : from
        return IndexProgress(from: next.map { MessageID(microseconds: $0) }, added: entries.count)
    }

    /// Does a step of what follows the index.
    ///
    /// - Returns: The first id that was reached; nil if all messages were.
    private static func fillRest(_ db: Database) throws -> Int64? {
        try MessageCounts.fill(db) ?? MessageDigests.fill(db)
    }

    /// Begins a new index beside the current one, which is searched until the new one is complete.
    package static func begin(analyser: Int, _ db: Database) throws {
        if try !Vocabulary.isComplete(ReadTransaction(db)) { try VocabularyRows.clear(db) }
        let new = try SchemaObject.all(of: .account, number: Schema.account.current)
            .first { $0.name == SearchIndex.name }?
            .sql.replacing("TABLE \(SearchIndex.name)", with: "TABLE \(SearchIndex.next)")
        try db.execute(
            sql: """
                \(drop(SearchIndex.next))
                \(new ?? "");
                INSERT OR REPLACE INTO search_index (name, analyser, from_us)
                  SELECT 'message_search_next', \(analyser), ifnull(max(id) + 1, -9223372036854775808) FROM message;
                """)
    }

    /// Abandons an index that can't be written. Nothing more is added to it, and another index is built.
    static func abandon(_ table: String, _ db: Database) throws {
        if table == SearchIndex.name {
            try db.execute(
                sql: "UPDATE search_index SET from_us = ? WHERE name = ?", arguments: [Int64.max, SearchIndex.name])
        }
        let hasNext = try SearchReach.all(ReadTransaction(db)).contains { $0.name == SearchIndex.next }
        if table == SearchIndex.next || !hasNext { try begin(analyser: Analyser.version, db) }
    }

    /// Replaces the index. Without `legacy_alter_table`, renaming fails because the view `hits` reads a table that is not
    /// there meanwhile.
    private static func swap(_ db: Database) throws {
        try db.execute(
            sql: """
                \(drop(SearchIndex.name))
                PRAGMA legacy_alter_table = ON;
                ALTER TABLE message_search_next RENAME TO message_search;
                PRAGMA legacy_alter_table = OFF;
                UPDATE vocabulary_state SET analyser = ifnull(
                  (SELECT analyser FROM search_index WHERE name = 'message_search_next'), 0);
                DELETE FROM search_index WHERE name IS NOT 'message_search_next';
                UPDATE search_index SET name = 'message_search' WHERE name = 'message_search_next';
                """)
    }

    /// Returns SQL that drops an index. FTS5 can drop only a table that it can open, so the version and structure of an
    /// empty index (fts5_index.c, format 4) are restored first. Tables that FTS5 leaves are dropped one by one; earlier
    /// versions had a table of lengths (`docsize`).
    private static func drop(_ table: String) -> String {
        """
        CREATE TABLE IF NOT EXISTS \(table)_config (k PRIMARY KEY, v) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS \(table)_data (id INTEGER PRIMARY KEY, block BLOB);
        DELETE FROM \(table)_config;
        DELETE FROM \(table)_data;
        INSERT INTO \(table)_config (k, v) VALUES ('version', 4);
        INSERT INTO \(table)_data (id, block) VALUES (10, x'00000000000000');
        DROP TABLE IF EXISTS \(table);
        \(["data", "idx", "docsize", "config"].map { "DROP TABLE IF EXISTS \(table)_\($0);" }.joined(separator: "\n"))
        """
    }
}
