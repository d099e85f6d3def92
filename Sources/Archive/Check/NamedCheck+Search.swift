extension NamedCheck {
    /// `message_search_docsize` is FTS5's own list of the rows that its index has.
    static let ofSearch = [
        NamedCheck(
            name: "search_index", advice: .reindex,
            sql: """
                SELECT printf('the search index finds %d of the %d messages that it has', found, indexed)
                FROM (SELECT (SELECT count(*) FROM message_search WHERE message_search MATCH 'facets : "all"') AS found,
                  (SELECT count(*) FROM message_search_docsize) AS indexed)
                WHERE found <> indexed
                """),
        NamedCheck(
            name: "search_rows", advice: .reindex,
            sql: """
                SELECT 'message ' || \(id("id")) || ' is not in the search index'
                FROM message INDEXED BY message_quiet
                WHERE noise = 0 AND id >= (SELECT from_us FROM search_index WHERE name = 'message_search')
                  AND NOT EXISTS (SELECT 1 FROM message_search_docsize AS indexed WHERE indexed.id = message.id)
                UNION ALL
                SELECT 'the search index has ' || \(id("id")) || ', which is no message that it should have'
                FROM message_search_docsize AS indexed
                WHERE NOT EXISTS (SELECT 1 FROM message WHERE message.id = indexed.id AND noise = 0)
                """),
        NamedCheck(name: "search_words", advice: .reindex, search: WordComparison.run),
    ]
}
