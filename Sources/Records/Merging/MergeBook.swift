package import ChatModel
import Files
package import SQLite
import Schema

/// The rows of `merge`.
package enum MergeBook {
    package struct Entry {
        package let id: Int64
        package let (chosen, into): (Int64, Int64)
        package let isDone: Bool
    }

    /// Returns SQL for the number of the room with a key, or of the one into which it was merged.
    ///
    /// - Parameter key: SQL for the key.
    package static func room(key: String) -> String { number(.rooms, "room", key: key) }

    /// Returns SQL for the number of the user with a key, or of the one into which they were merged.
    package static func user(key: String) -> String { number(.people, "user", key: key) }

    private static func number(_ kind: Merging.Kind, _ table: String, key: String) -> String {
        """
        (SELECT ifnull((SELECT into_id FROM merge WHERE what = \(kind.rawValue) AND from_id = t.id), t.id)
          FROM "\(table)" AS t WHERE t.key = \(key))
        """
    }

    package static func find(_ request: Merging, _ db: Database) throws -> Entry? {
        try db.first(
            sql: "SELECT id, chosen_id, into_id, is_done FROM merge WHERE what = ? AND from_id = ?",
            arguments: [request.kind.rawValue, request.from]
        ) { row in
            try Entry(id: row.value(0), chosen: row.value(1), into: row.value(2), isDone: row.value(3) as Int64 != 0)
        }
    }

    /// - Throws: ``ArchiveError`` with `merge` while a merge is not finished: imports and forgetting would find some messages at
    ///   neither place.
    package static func requireFinished(_ db: Database) throws {
        let isUnfinished = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM merge WHERE is_done = 0)"))
        guard isUnfinished == true else { return }
        throw ArchiveError(
            code: .merge, detail: "people or rooms of the account are being merged; try again when that is finished")
    }

    package static func begin(_ request: Merging, at time: Timestamp, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO merge (what, from_id, chosen_id, into_id, at_us) VALUES (?1, ?2, ?3, ?3, ?4)",
            arguments: [request.kind.rawValue, request.from, request.into, time.microseconds])
        try follow(request.kind, db)
    }

    /// Returns true if something was merged into the same one later.
    package static func hasLater(_ merge: Entry, _ kind: Merging.Kind, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM merge WHERE what = ? AND chosen_id = ? AND id > ?)",
            arguments: [kind.rawValue, merge.chosen, merge.id]) ?? false
    }

    package static func setDone(_ isDone: Bool, _ merge: Int64, _ db: Database) throws {
        try db.execute(sql: "UPDATE merge SET is_done = ? WHERE id = ?", arguments: [isDone, merge])
    }

    package static func remove(_ merge: Int64, _ kind: Merging.Kind, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM merge_row WHERE merge_id = ?", arguments: [merge])
        try db.execute(sql: "DELETE FROM merge_message WHERE merge_id = ?", arguments: [merge])
        try db.execute(sql: "DELETE FROM merge WHERE id = ?", arguments: [merge])
        try follow(kind, db)
    }

    /// Sets `into_id` of each merge to the end of the chain that begins with `chosen_id`. Merges make no circle, because
    /// what is merged takes up nothing any more.
    private static func follow(_ kind: Merging.Kind, _ db: Database) throws {
        try db.execute(sql: "UPDATE merge SET into_id = chosen_id WHERE what = ?", arguments: [kind.rawValue])
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM merge") ?? 0
        for _ in 0..<count {
            try db.execute(
                sql: """
                    UPDATE merge SET into_id = next.chosen_id FROM merge AS next
                    WHERE merge.what = ?1 AND next.what = ?1 AND next.from_id = merge.into_id
                    """, arguments: [kind.rawValue])
            if db.changesCount == 0 { return }
        }
    }

    /// Makes finished merges final, and removes what undoing them needs.
    package static func makeFinal(_ db: Database) throws {
        let finished = "WHERE merge_id IN (SELECT id FROM merge WHERE is_done = 1)"
        try db.execute(sql: "DELETE FROM merge_message \(finished); DELETE FROM merge_row \(finished)")
    }

    // MARK: Forgetting

    /// Returns the keys of people who were merged into a person.
    package static func keys(mergedInto user: Int64, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT key FROM user WHERE key IS NOT NULL AND id IN (SELECT from_id FROM merge WHERE what = 0 AND into_id = ?)
                """, arguments: [user])
    }

    /// Returns the keys whose events go to a room: its own, unless the room was itself merged into another, and those of
    /// the rooms that were merged into it.
    package static func keys(leadingTo room: Int64, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT key FROM room
                WHERE id = :room AND NOT EXISTS (SELECT 1 FROM merge WHERE what = 1 AND from_id = :room)
                  OR id IN (SELECT from_id FROM merge WHERE what = 1 AND into_id = :room)
                """, arguments: ["room": room])
    }

    /// Removes what merges keep of a person who is forgotten. All merges of the account are final afterwards, because the
    /// rows that undoing needs name people.
    package static func forget(user: Int64, _ db: Database) throws {
        try makeFinal(db)
        try db.execute(
            sql: """
                DELETE FROM user_picture WHERE user_id IN (SELECT from_id FROM merge WHERE what = 0 AND into_id = :user);
                UPDATE user SET key = NULL WHERE id IN (SELECT from_id FROM merge WHERE what = 0 AND into_id = :user);
                DELETE FROM merge WHERE what = 0 AND into_id = :user;
                """, arguments: ["user": user])
    }
}
