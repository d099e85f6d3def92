import Moves
import Reading
import Records
import Schema

/// The checks of the search index, of its list of words and of the digests of messages.
enum SearchIndexChecks {
    static let all = [
        // `message_search_idx` is FTS5's list of the pages that begin a word, sorted by word. Such a page ends with a
        // list of the words' places. The third and fourth byte of the page are the offset of that list (fts5_index.c,
        // format 4).
        NamedCheck(
            name: "search_index", advice: .reindex,
            sql: """
                SELECT printf('the search index finds %d of its %d pages', found, pages)
                FROM (SELECT (SELECT count(*) FROM message_search_data WHERE \(beginsWord)) AS pages,
                  (SELECT count(*)
                    FROM (SELECT segid, pgno >> 1 AS page,
                        lag(pgno >> 1, 1, 0) OVER (PARTITION BY segid ORDER BY term) AS last
                      FROM message_search_idx)
                      JOIN message_search_data ON id = (segid << 37) + page
                    WHERE page > last AND \(beginsWord)) AS found)
                WHERE found <> pages
                """),
        NamedCheck(
            name: "search_rows", advice: .reindex,
            search: { db, progress in
                let index = try SearchReach.all(ReadTransaction(db)).first { $0.name == SearchIndex.name }
                guard let index else { return ["the search index is not registered"] }
                return try (index.hasSlots ? searchRows : earlierSearchRows).run(db, progress: progress)
            }),
        NamedCheck(name: "digests", advice: .changed, search: MessageDigests.problems),
        NamedCheck(name: "search_words", advice: .compare, search: WordComparison.run),
        NamedCheck(name: "vocabulary", advice: .reindex, search: VocabularyCheck.run),
    ]

    /// Compares the counts first, which is enough because no two entries belong to the same message.
    private static let searchRows = NamedCheck(
        name: "search_rows", advice: .reindex,
        quick: """
            SELECT (SELECT count(*) FROM message_search WHERE \(isEntry)) = count(id)
              AND (SELECT count(*) FROM (\(searchable))) = count(*) FILTER (WHERE id >= \(from))
            FROM (SELECT iif(\(SearchRows.isSlot), m.id, \(SearchRows.wholeID)) AS id
              FROM message_search LEFT JOIN message AS m ON \(SearchRows.isSlot) AND \(SearchRows.isFirst())
              WHERE \(isEntry))
            """,
        sql: """
            SELECT 'message ' || \(NamedCheck.id("id")) || ' is not in the search index'
            FROM (\(searchable) EXCEPT SELECT id FROM (\(entries)) ORDER BY 1)
            UNION ALL
            SELECT 'the search index has an entry for ' || \(NamedCheck.id("id")) || ', which is not a searchable message'
            FROM (SELECT \(SearchRows.slotTime) AS id FROM message_search WHERE \(isEntry) AND \(SearchRows.isSlot)
                AND NOT EXISTS (SELECT 1 FROM message AS m WHERE \(SearchRows.isFirst()))
              UNION ALL
              SELECT id FROM (\(wholeEntries) EXCEPT SELECT id FROM message NOT INDEXED WHERE noise = 0)
              ORDER BY 1)
            """)

    private static let isEntry = "message_search MATCH 'facets : \"all\"'"
    private static let from = "(SELECT from_us FROM search_index WHERE name = 'message_search')"
    private static let searchable = "SELECT id FROM message NOT INDEXED WHERE noise = 0 AND id >= \(from)"
    private static let wholeEntries =
        "SELECT \(SearchRows.wholeID) AS id FROM message_search WHERE \(isEntry) AND NOT (\(SearchRows.isSlot))"
    private static let entries = """
        SELECT m.id AS id FROM message_search CROSS JOIN message AS m ON \(SearchRows.isFirst())
        WHERE \(isEntry) AND \(SearchRows.isSlot)
        UNION ALL
        \(wholeEntries)
        """

    /// The same for an index in which the id is the rowid. Both sides are sorted, so SQLite sorts and stores nothing.
    private static let earlierSearchRows = NamedCheck(
        name: "search_rows", advice: .reindex,
        sql: """
            SELECT 'message ' || \(NamedCheck.id("id")) || ' is not in the search index'
            FROM (\(searchable) EXCEPT SELECT rowid FROM message_search WHERE \(isEntry) ORDER BY 1)
            UNION ALL
            SELECT 'the search index has an entry for ' || \(NamedCheck.id("id")) || ', which is not a searchable message'
            FROM (SELECT rowid AS id FROM message_search WHERE \(isEntry)
              EXCEPT SELECT id FROM message NOT INDEXED WHERE noise = 0 ORDER BY 1)
            """)

    /// SQL for a page that begins a word. The ids of word pages have no bits besides those of their segment and number.
    private static let beginsWord =
        "id > 10 AND id & (63 << 31) = 0 AND hex(substr(block, 3, 2)) < printf('%04X', length(block))"
}
