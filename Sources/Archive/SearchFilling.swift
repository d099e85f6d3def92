import ChatModel
import GRDB
import SearchText

/// Brings older messages into an index, from the newest down, a batch in one transaction: it can be stopped at any of them
/// and goes on from there.
enum SearchFilling {
    /// Messages in one transaction: about 30 ms, so that what is heard meanwhile does not wait long.
    static let batch = 2000

    /// Fills the next index where one is being made, else the one there is. One of another analyser is made anew.
    static func step(_ db: Database) throws -> IndexProgress {
        if let newest = try SearchReach.all(db).last, newest.analyser != Analyser.version {
            try begin(analyser: Analyser.version, db)
        }
        guard let reach = try SearchReach.all(db).last, reach.from > .min || reach.name == SearchIndex.next else {
            return IndexProgress(from: nil, added: 0)
        }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT \(SearchEntry.columns) FROM message INDEXED BY message_quiet
                WHERE noise = 0 AND id < ? ORDER BY id DESC LIMIT ?
                """,
            arguments: [reach.from, batch])
        let entries = try rows.reversed().map { try SearchEntry($0) }
        var index = SearchIndex()
        try index.insert(entries, into: reach.name, db)
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
                DROP TABLE IF EXISTS message_search_next;
                CREATE VIRTUAL TABLE message_search_next
                  USING fts5(text, chars, facets, content = '', tokenize = 'unicode61');
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
                DROP TABLE message_search;
                ALTER TABLE message_search_next RENAME TO message_search;
                DELETE FROM search_index WHERE name = 'message_search';
                UPDATE search_index SET name = 'message_search' WHERE name = 'message_search_next';
                """)
    }
}
