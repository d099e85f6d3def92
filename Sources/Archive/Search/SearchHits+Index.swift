/// SQL that reads the search index. The hits are those with ?1 < id < ?2 that match ?3.
extension SearchHits {
    /// SQL for the ids of all hits, in no order.
    static let ids = """
        SELECT rowid AS id FROM message_search WHERE message_search MATCH ?3 AND rowid > ?1 AND rowid < ?2
        """

    /// Returns SQL for the ids of the first hits, at most ?4.
    ///
    /// - Parameter order: `ASC` or `DESC`.
    static func ids(order: String) -> String {
        "\(ids) ORDER BY rowid \(order) LIMIT ?4"
    }

    /// Returns SQL for the ids and scores of the most relevant hits, at most ?4: the best first, the newest first among
    /// equals.
    static func best(_ db: ReadTransaction) throws -> String {
        try Relevance.register(db.file)
        return """
            SELECT rowid AS id, relevance(message_search) AS score FROM message_search
            WHERE message_search MATCH ?3 AND rowid > ?1 AND rowid < ?2 ORDER BY score DESC, rowid DESC LIMIT ?4
            """
    }
}
