extension NamedCheck {
    static let searchChecks = [
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
        // Both sides are sorted, so SQLite sorts and stores nothing.
        NamedCheck(
            name: "search_rows", advice: .reindex,
            sql: """
                SELECT 'the search index is not registered' WHERE NOT EXISTS (
                  SELECT 1 FROM search_index WHERE name = 'message_search')
                UNION ALL
                SELECT 'message ' || \(id("id")) || ' is not in the search index'
                FROM (SELECT id FROM message NOT INDEXED
                  WHERE noise = 0 AND id >= (SELECT from_us FROM search_index WHERE name = 'message_search')
                  EXCEPT SELECT rowid FROM message_search WHERE message_search MATCH 'facets : "all"' ORDER BY 1)
                UNION ALL
                SELECT 'the search index has an entry for ' || \(id("id")) || ', which is not a searchable message'
                FROM (SELECT rowid AS id FROM message_search WHERE message_search MATCH 'facets : "all"'
                  EXCEPT SELECT id FROM message NOT INDEXED WHERE noise = 0 ORDER BY 1)
                """),
        NamedCheck(name: "digests", advice: .changed, search: MessageDigests.problems),
        NamedCheck(name: "search_words", advice: .compare, search: WordComparison.run),
    ]

    /// SQL for a page that begins a word. The ids of word pages have no bits besides those of their segment and number.
    private static let beginsWord =
        "id > 10 AND id & (63 << 31) = 0 AND hex(substr(block, 3, 2)) < printf('%04X', length(block))"
}
