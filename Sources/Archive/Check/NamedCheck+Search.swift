extension NamedCheck {
    /// `message_search_docsize` is FTS5's own list of the rows that its index has, `message_search_idx` of the pages that begin
    /// a word, in the order of the words; those pages end with a list of where, and their third and fourth byte say where that
    /// begins (fts5_index.c, format 4).
    static let ofSearch = [
        NamedCheck(
            name: "search_index", advice: .reindex,
            sql: """
                SELECT printf('the search index finds %d of the %d messages that it has', found, indexed)
                FROM (SELECT (SELECT count(*) FROM message_search WHERE message_search MATCH 'facets : "all"') AS found,
                  (SELECT count(*) FROM message_search_docsize) AS indexed)
                WHERE found <> indexed
                UNION ALL
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
            sql: """
                SELECT 'nothing is said of the search index' WHERE NOT EXISTS (
                  SELECT 1 FROM search_index WHERE name = 'message_search')
                UNION ALL
                SELECT 'message ' || \(id("id")) || ' is not in the search index'
                FROM message INDEXED BY message_quiet
                WHERE noise = 0 AND id >= (SELECT from_us FROM search_index WHERE name = 'message_search')
                  AND NOT EXISTS (SELECT 1 FROM message_search_docsize AS indexed WHERE indexed.id = message.id)
                UNION ALL
                SELECT 'the search index has ' || \(id("id")) || ', which is no message that it should have'
                FROM message_search_docsize AS indexed
                WHERE NOT EXISTS (SELECT 1 FROM message WHERE message.id = indexed.id AND noise = 0)
                """),
    ]

    /// Of the pages of words, which have no other bit set than those of their segment and their number.
    private static let beginsWord =
        "id > 10 AND id & (63 << 31) = 0 AND hex(substr(block, 3, 2)) < printf('%04X', length(block))"
}
