import ChatModel
import GRDB
import SearchText

/// Brings older messages into an index, from the newest down, a batch in one transaction: it can be stopped at any of them
/// and goes on from there.
enum SearchFilling {
    /// Messages in one transaction: about 30 ms, so that what is heard meanwhile does not wait long.
    static let batch = 2000

    /// Fills the next index where one is being made, else the one there is. One of another analyser is made anew, and so is
    /// one that is damaged; where the next one is, that is an error.
    static func step(_ db: Database) throws -> IndexProgress {
        if try SearchReach.all(db).last?.analyser != Analyser.version {
            try begin(analyser: Analyser.version, db)
        }
        guard let reach = try SearchReach.all(db).last, reach.from > .min || reach.name == SearchIndex.next else {
            return IndexProgress(from: nil, added: 0)
        }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT \(SearchEntry.columns) FROM message NOT INDEXED
                WHERE noise = 0 AND id < ? ORDER BY id DESC LIMIT ?
                """,
            arguments: [reach.from, batch])
        let entries = try rows.reversed().map { try SearchEntry($0) }
        var index = SearchIndex()
        if reach.name == SearchIndex.next {
            try index.insert(entries, into: reach.name, db)
        } else if try !index.insertOrAbandon(entries, into: reach.name, db) {
            return IndexProgress(from: MessageID(microseconds: reach.from), added: 0)
        }
        let from = rows.count == batch ? entries[0].id : .min
        try db.execute(sql: "UPDATE search_index SET from_us = ? WHERE name = ?", arguments: [from, reach.name])
        // Its statement, before its table gets another name.
        index = SearchIndex()
        if from == .min, reach.name == SearchIndex.next { try swap(db) }
        return IndexProgress(from: from == .min ? nil : MessageID(microseconds: from), added: entries.count)
    }

    /// Begins an index anew beside the one there is, which is searched until the new one is whole.
    static func begin(analyser: Int, _ db: Database) throws {
        try db.execute(
            sql: """
                \(drop(SearchIndex.next))
                CREATE VIRTUAL TABLE message_search_next
                  USING fts5(text, chars, facets, content = '', columnsize = 0, tokenize = 'unicode61');
                INSERT OR REPLACE INTO search_index (name, analyser, from_us)
                  SELECT 'message_search_next', \(analyser), ifnull(max(id) + 1, -9223372036854775808) FROM message;
                """)
    }

    /// Of an index that can't be written, for what is in it: nothing goes there any more, and another is made.
    static func abandon(_ table: String, _ db: Database) throws {
        if table == SearchIndex.name {
            try db.execute(
                sql: "UPDATE search_index SET from_us = ? WHERE name = ?", arguments: [Int64.max, SearchIndex.name])
        }
        let hasNext = try SearchReach.all(db).contains { $0.name == SearchIndex.next }
        if table == SearchIndex.next || !hasNext { try begin(analyser: Analyser.version, db) }
    }

    private static func swap(_ db: Database) throws {
        try db.execute(
            sql: """
                \(drop(SearchIndex.name))
                ALTER TABLE message_search_next RENAME TO message_search;
                DELETE FROM search_index WHERE name = 'message_search';
                UPDATE search_index SET name = 'message_search' WHERE name = 'message_search_next';
                """)
    }

    /// FTS5 drops only what it can open, so what it opens is put back first, as that of an index without a row: its version
    /// and its structure, of no segment (fts5_index.c, format 4). What it does not drop goes by itself. Indexes of before
    /// had a table of lengths.
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
