import Files
import Records
import Schema
import SearchText

/// SQL that reads the search index. The hits are those with ?1 < id < ?2 that match ?3.
extension SearchHits {
    /// Returns SQL for the ids of the first hits, at most ?4.
    ///
    /// - Parameter order: `ASC` or `DESC`.
    static func ids(order: String, _ db: ReadTransaction) throws -> SQLText {
        if db.isShared { return sharedHits("?4", order: order) }
        return try fileHits(order: order, db)
    }

    /// Returns SQL for the ids of the first hits, at most ?4, whose texts pass the test ?5.
    ///
    /// - Parameter order: `ASC` or `DESC`.
    func passingIDs(order: String, _ db: ReadTransaction) throws -> SQLText {
        guard hasAll else { return try Self.fileHits(order: order, passing: true, db) }
        return """
            SELECT id FROM message NOT INDEXED
            WHERE ?3 IS NOT NULL AND noise = 0 AND id > ?1 AND id < ?2 AND passes(?5, body) ORDER BY id \(order) LIMIT ?4
            """
    }

    private static func fileHits(order: String, passing: Bool = false, _ db: ReadTransaction) throws -> SQLText {
        let branches = try SearchRows.Kinds(db, passing: passing)?.branches ?? [earlier(passing: passing)]
        return union(branches.map { first($0, by: "message_search.rowid \(order)") })
            + " ORDER BY id \(order) LIMIT ?4"
    }

    /// Returns SQL for the number of hits.
    static func count(_ db: ReadTransaction) throws -> SQLText {
        guard let kinds = try SearchRows.Kinds(db) else { return "SELECT count(*) FROM (\(ids(db))) AS found" }
        return """
            SELECT (SELECT count(*) FROM message_search WHERE \(SearchRows.inner))
              + (SELECT count(*) FROM (\(union([kinds.outer] + kinds.others))))
            """
    }

    /// Returns SQL for the number of some hits of an account's file, at most ?4: those of slots that lie completely in their
    /// time.
    static func countOfSome(_ db: ReadTransaction) throws -> SQLText {
        let some: SQLText =
            try SearchRows.Kinds(db) == nil ? ids(db) : "SELECT 1 FROM message_search WHERE \(SearchRows.inner)"
        return "SELECT count(*) FROM (\(some) LIMIT ?4) AS found"
    }

    /// Returns SQL for the times of all hits, in no order: as ids, but right to the quarter of an hour, which saves most
    /// look-ups of messages.
    static func times(_ db: ReadTransaction) throws -> SQLText {
        guard let kinds = try SearchRows.Kinds(db) else { return ids(db) }
        let inner: SQLText = "SELECT \(kinds.time) AS id FROM message_search WHERE \(SearchRows.inner)"
        return union([inner, kinds.outer] + kinds.others)
    }

    /// Returns SQL for a column of the messages of all hits, named `subject`.
    static func subjects(_ column: String, _ db: ReadTransaction) throws -> SQLText {
        func subjects(of ids: SQLText) -> SQLText {
            "SELECT m.\(column) AS subject FROM (\(ids)) AS found \(.crossJoin) message AS m ON m.id = found.id"
        }
        guard let kinds = try SearchRows.Kinds(db) else { return subjects(of: ids(db)) }
        return union([kinds.slots("m.\(column) AS subject")] + kinds.others.map(subjects))
    }

    /// Returns SQL for the id, the room and the sender of the messages of all hits.
    static func messages(_ db: ReadTransaction) throws -> SQLText {
        guard let kinds = try SearchRows.Kinds(db) else { return messages(of: ids(db)) }
        return union([kinds.slots(columns)] + kinds.others.map(messages))
    }

    /// Returns SQL for the id, the room and the sender of the messages of an account's file whose texts pass the test ?5; ?4 is
    /// any value. In the order of the file if all messages are hits.
    func passingMessages(_ db: ReadTransaction) throws -> SQLText {
        guard !isEverything else {
            return """
                SELECT id, room_id, sender_id FROM message NOT INDEXED
                WHERE ?3 IS NOT NULL AND ?4 IS NOT NULL AND noise = 0 AND id > ?1 AND id < ?2 AND passes(?5, body)
                """
        }
        guard let kinds = try SearchRows.Kinds(db, passing: true) else {
            return "\(Self.messages(of: Self.earlier(passing: true))) WHERE ?4 IS NOT NULL"
        }
        return Self.union([kinds.slots(Self.columns) + " AND ?4 IS NOT NULL"] + kinds.others.map(Self.messages))
    }

    private static let columns = "m.id AS id, m.room_id AS room_id, m.sender_id AS sender_id"

    private static func messages(of ids: SQLText) -> SQLText {
        "SELECT \(columns) FROM (\(ids)) AS found \(.crossJoin) message AS m ON m.id = found.id"
    }

    /// Returns SQL for the ids and scores of the most relevant hits, at most ?4: the best first, the newest first among
    /// equals.
    ///
    /// - Throws: ``ArchiveError`` with `sharedArchive` for a shared archive.
    static func best(_ db: ReadTransaction) throws -> SQLText {
        guard let file = db.file else {
            throw ArchiveError(
                code: .sharedArchive, detail: "a shared archive has no order of relevance; search it newest first")
        }
        try Relevance.register(file)
        let (score, order) = ("relevance(message_search) AS score", "score DESC, message_search.rowid DESC")
        guard let kinds = try SearchRows.Kinds(db, columns: ", " + score) else {
            return first(earlier(columns: ", " + score), by: order)
        }
        // Looks up the messages of the best rows only.
        let best = "SELECT rowid AS number, \(score) FROM message_search WHERE \(SearchRows.inner)"
        let branches =
            [kinds.messages(ofRows: "\(best) ORDER BY \(order) LIMIT ?4")]
            + ([kinds.outer] + kinds.others).map { first($0, by: order) }
        return union(branches) + " ORDER BY score DESC, id DESC LIMIT ?4"
    }

    /// Returns SQL for the ids of all hits of a shared archive, or of an index in which the id is the rowid.
    private static func ids(_ db: ReadTransaction) -> SQLText {
        db.isShared ? sharedHits("NULL", order: "DESC") : earlier()
    }

    private static func sharedHits(_ limit: String, order: String) -> SQLText {
        """
        SELECT id FROM scrollback.hits(\(SharedStatement.account), ?3, ?1, ?2, \(limit), \(String(order == "DESC"))) AS hits (id)
        """
    }

    private static func earlier(columns: String = "", passing: Bool = false) -> SQLText {
        """
        SELECT rowid AS id\(columns) FROM message_search
        WHERE message_search MATCH ?3 AND rowid > ?1 AND rowid < ?2\(passing ? SearchRows.passes("message_search.rowid") : "")
        """
    }

    private static func union(_ branches: [SQLText]) -> SQLText { branches.joined(separator: "\nUNION ALL\n") }

    private static func first(_ branch: SQLText, by order: String) -> SQLText {
        "SELECT * FROM (\(branch) ORDER BY \(order) LIMIT ?4)"
    }
}

extension ReadTransaction {
    /// The language of the search index.
    var searchLanguage: MatchExpression.Language { isShared ? .tsquery : .fts5 }
}
