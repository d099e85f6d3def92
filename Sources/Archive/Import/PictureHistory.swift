import ChatModel
import GRDB

/// Merges the paths of users' pictures. A user may have had no picture between two of them.
enum PictureHistory {
    /// Stores the pictures that are later than the stored ones, and the end of the last stored one. Returns true if
    /// anything changed.
    static func merge(_ imported: [NameSpan], of user: Int64, _ db: Database) throws -> Bool {
        guard try lacks(imported, of: user, db) else { return false }
        var isChanged = false
        for span in imported.sorted(by: { $0.firstSeen < $1.firstSeen }) {
            let since = span.firstSeen.microseconds
            let last = try Int64.first(
                db, sql: "SELECT max(first_seen_us) FROM user_picture WHERE user_id = ?", arguments: [user])
            if let last, last > since { continue }
            try db.execute(
                sql: """
                    UPDATE user_picture SET last_seen_us = iif(first_seen_us = ?2, ?3, ?2)
                    WHERE user_id = ?1 AND last_seen_us IS NULL AND (first_seen_us < ?2 OR ?3 IS NOT NULL)
                    """,
                arguments: [user, since, span.lastSeen.map { max($0.microseconds, since) }])
            if db.changesCount > 0 { isChanged = true }
            try db.execute(
                sql: """
                    INSERT INTO user_picture (user_id, first_seen_us, last_seen_us, path) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO NOTHING
                    """,
                arguments: [user, since, span.lastSeen.map { max($0.microseconds, since) }, span.name.withoutNUL])
            if db.changesCount > 0 { isChanged = true }
        }
        return isChanged
    }

    /// Returns true if ``merge(_:of:_:)`` would change anything.
    static func lacks(_ imported: [NameSpan], of user: Int64, _ db: Database) throws -> Bool {
        guard let latest = imported.max(by: { $0.firstSeen < $1.firstSeen }) else { return false }
        // True if the export has a later picture, or the end of the last stored one.
        let statement = try db.cachedStatement(
            sql: """
                SELECT first_seen_us < ?2 OR first_seen_us = ?2 AND last_seen_us IS NULL AND ?3 FROM user_picture
                WHERE user_id = ?1 ORDER BY first_seen_us DESC LIMIT 1
                """)
        return try Bool.fetchOne(
            statement, arguments: [user, latest.firstSeen.microseconds, latest.lastSeen != nil]) ?? true
    }
}
