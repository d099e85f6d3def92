import SearchText

/// SQL that reads the search index. The hits are those with ?1 < id < ?2 that match ?3.
extension SearchHits {
    /// Returns SQL for the ids of all hits, in no order.
    static func ids(_ db: ReadTransaction) -> String {
        db.isShared ? sharedHits("NULL", order: "DESC") : fileHits
    }

    private static let fileHits = """
        SELECT rowid AS id FROM message_search WHERE message_search MATCH ?3 AND rowid > ?1 AND rowid < ?2
        """

    /// Returns SQL for the ids of the first hits, at most ?4.
    ///
    /// - Parameter order: `ASC` or `DESC`.
    static func ids(order: String, _ db: ReadTransaction) -> String {
        db.isShared ? sharedHits("?4", order: order) : "\(fileHits) ORDER BY rowid \(order) LIMIT ?4"
    }

    private static func sharedHits(_ limit: String, order: String) -> String {
        """
        SELECT id FROM scrollback.hits(\(SharedDialect.accountMark), ?3, ?1, ?2, \(limit), \(order == "DESC")) AS hits (id)
        """
    }

    /// Returns SQL for the ids and scores of the most relevant hits, at most ?4: the best first, the newest first among
    /// equals.
    ///
    /// - Throws: ``ArchiveError`` with `sharedArchive` for a shared archive.
    static func best(_ db: ReadTransaction) throws -> String {
        guard let file = db.file else {
            throw ArchiveError(
                code: .sharedArchive, detail: "a shared archive has no order of relevance; search it newest first")
        }
        try Relevance.register(file)
        return """
            SELECT rowid AS id, relevance(message_search) AS score FROM message_search
            WHERE message_search MATCH ?3 AND rowid > ?1 AND rowid < ?2 ORDER BY score DESC, rowid DESC LIMIT ?4
            """
    }
}

extension ReadTransaction {
    /// The language of the search index.
    var searchLanguage: MatchExpression.Language { isShared ? .tsquery : .fts5 }
}
