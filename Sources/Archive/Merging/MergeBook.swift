import ChatModel
import GRDB

/// The rows of `merge`.
enum MergeBook {
    struct Entry {
        let id: Int64
        let (chosen, into): (Int64, Int64)
        let isDone: Bool
    }

    /// Returns SQL for the number of the room with a key, or of the one into which it was merged.
    ///
    /// - Parameter key: SQL for the key.
    static func room(key: String) -> String { number(.rooms, "room", key: key) }

    /// Returns SQL for the number of the user with a key, or of the one into which they were merged.
    static func user(key: String) -> String { number(.people, "user", key: key) }

    private static func number(_ kind: Merging.Kind, _ table: String, key: String) -> String {
        """
        (SELECT ifnull((SELECT into_id FROM merge WHERE what = \(kind.rawValue) AND from_id = t.id), t.id)
          FROM "\(table)" AS t WHERE t.key = \(key))
        """
    }

    static func find(_ request: Merging, _ db: Database) throws -> Entry? {
        try Row.fetchOne(
            db, sql: "SELECT id, chosen_id, into_id, is_done FROM merge WHERE what = ? AND from_id = ?",
            arguments: [request.kind.rawValue, request.from]
        ).map { row in
            try Entry(id: row.value(0), chosen: row.value(1), into: row.value(2), isDone: row.value(3) as Int64 != 0)
        }
    }

    /// - Throws: ``ArchiveError`` with `merge` while a merge is not finished: an import would find some messages at neither
    ///   place.
    static func requireFinished(_ db: Database) throws {
        let isUnfinished = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM merge WHERE is_done = 0)"))
        guard isUnfinished == true else { return }
        throw ArchiveError(
            code: .merge, detail: "people or rooms of the account are being merged; import again when that is finished")
    }

    static func begin(_ request: Merging, at time: Timestamp, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO merge (what, from_id, chosen_id, into_id, at_us) VALUES (?1, ?2, ?3, ?3, ?4)",
            arguments: [request.kind.rawValue, request.from, request.into, time.microseconds])
        try follow(request.kind, db)
    }

    static func setDone(_ isDone: Bool, _ merge: Int64, _ db: Database) throws {
        try db.execute(sql: "UPDATE merge SET is_done = ? WHERE id = ?", arguments: [isDone, merge])
    }

    static func remove(_ merge: Int64, _ kind: Merging.Kind, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM merge_row WHERE merge_id = ?", arguments: [merge])
        try db.execute(sql: "DELETE FROM merge_message WHERE merge_id = ?", arguments: [merge])
        try db.execute(sql: "DELETE FROM merge WHERE id = ?", arguments: [merge])
        try follow(kind, db)
    }

    /// Sets `into_id` of each merge to the end of the chain that begins with `chosen_id`. Merges make no circle, because
    /// what is merged takes up nothing any more.
    private static func follow(_ kind: Merging.Kind, _ db: Database) throws {
        try db.execute(sql: "UPDATE merge SET into_id = chosen_id WHERE what = ?", arguments: [kind.rawValue])
        repeat {
            try db.execute(
                sql: """
                    UPDATE merge SET into_id = next.chosen_id FROM merge AS next
                    WHERE merge.what = ?1 AND next.what = ?1 AND next.from_id = merge.into_id
                    """, arguments: [kind.rawValue])
        } while db.changesCount > 0
    }

    /// Makes finished merges final: `archive compact` gives back what undoing them needs.
    static func makeFinal(_ db: Database) throws {
        let finished = "WHERE merge_id IN (SELECT id FROM merge WHERE is_done = 1)"
        try db.execute(sql: "DELETE FROM merge_message \(finished); DELETE FROM merge_row \(finished)")
    }

    /// Removes what a merge keeps of people who are forgotten.
    static func forget(user: Int64, _ db: Database) throws {
        let merges = try Row.fetchAll(
            db, sql: "SELECT id, from_id FROM merge WHERE what = 0 AND ?1 IN (from_id, into_id)", arguments: [user]
        ).map { (id: try $0.value(0) as Int64, from: try $0.value(1) as Int64) }
        for merge in merges {
            try db.execute(sql: "UPDATE user SET key = NULL WHERE id = ?", arguments: [merge.from])
            try remove(merge.id, .people, db)
        }
        // Rows of rooms name people by their number, and reactions have a text.
        try db.execute(
            sql:
                "DELETE FROM merge_row WHERE source = 'reaction' AND ?1 IN (json_extract(was, '$[0]'), json_extract(was, '$[2]'))",
            arguments: [user])
    }
}
