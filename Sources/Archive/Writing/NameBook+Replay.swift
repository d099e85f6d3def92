import ChatModel
import GRDB

/// People as a replay names them: by the key of then, which may be somebody else's by now.
extension NameBook {
    /// Who had the name then, or had it first after that, else who has the key.
    ///
    /// Whose account it is stays as it is, as what was said before tells nothing of that.
    ///
    /// - Parameter resolution: How exact the time is; it is the beginning of that second or minute.
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

    /// Of several, whoever got the name last: one that somebody else took keeps it in the book. Where nobody had it yet,
    /// whoever got it first.
    private func user(called name: String, from start: Int64, to end: Int64, _ db: Database) throws -> Int64? {
        // The index is of names without regard to case.
        let statement = try db.cachedStatement(
            sql: """
                SELECT user_id FROM user_name
                WHERE name = ?1 COLLATE NOCASE AND name = ?1 AND (last_seen_us IS NULL OR last_seen_us > ?2)
                ORDER BY first_seen_us >= ?3, abs(first_seen_us - ?3) LIMIT 1
                """)
        return try Int64.fetchOne(statement, arguments: [name, start, end])
    }
}
