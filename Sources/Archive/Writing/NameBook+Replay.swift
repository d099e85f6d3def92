import ChatModel
import GRDB

/// Finds the users of a replay, which names them by their key at that time. Another user may have that key today.
extension NameBook {
    /// Returns the user who had the name at that time or first got it later, or else the user who has the key. Creates
    /// the user if there is none.
    ///
    /// Does not change which user is the account's own, because older messages can't show that.
    ///
    /// - Parameter resolution: The precision of the time, which is the beginning of that second or minute.
    mutating func user(
        then reference: UserReference, at time: Int64, _ resolution: TimeResolution, _ db: Database
    ) throws -> Int64 {
        let current = try users[ExactString(reference.key)] ?? findUser(reference.key, db)
        if let current, current.name.isExactly(reference.name), current.firstSeen <= time { return current.id }
        let end = time.addingReportingOverflow(resolution.microseconds).partialValue
        if let named = try user(called: reference.name, from: time, to: end, db) { return named }
        return try user(
            UserReference(key: reference.key, name: reference.name, isSelf: current?.isSelf ?? reference.isSelf),
            at: time, db)
    }

    /// Returns the user who got the name last before `end`. Several users can have it, because a user keeps a name in
    /// the table that another user has taken. If no user had the name yet, returns the user who got it first.
    private func user(called name: String, from start: Int64, to end: Int64, _ db: Database) throws -> Int64? {
        // The index ignores case.
        let statement = try db.cachedStatement(
            sql: """
                SELECT user_id FROM user_name
                WHERE name = ?1 COLLATE NOCASE AND name = ?1 AND (last_seen_us IS NULL OR last_seen_us > ?2)
                ORDER BY first_seen_us >= ?3, abs(first_seen_us - ?3) LIMIT 1
                """)
        return try Int64.fetchOne(statement, arguments: [name, start, end])
    }
}
