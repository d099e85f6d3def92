import Bytes
import ChatModel
import Networks
import Records
import SQLite

/// Finds the users of a replay. Most networks name them by their key at that time, and another user may have that key
/// today, unless keys are permanent.
extension PersonBook {
    /// Returns the user who had the name at that time or first got it later, or else the user who has the key. Creates
    /// the user if there is none.
    ///
    /// Does not change which user is the account's own, because older messages can't show that.
    ///
    /// - Parameters:
    ///   - id: The id of the message, which is later than its time if another message has that time; nil if it has none yet.
    ///   - resolution: The precision of the time, which is the beginning of that second or minute.
    mutating func user(
        then reference: UserReference, at time: Int64, id: Int64? = nil, _ resolution: TimeResolution, _ db: Database
    ) throws -> Int64 {
        if try BridgeKey.isBridged(reference.key) || traits(db).hasPermanentKeys {
            return try user(reference, past: id ?? time, db)
        }
        let current = try users[ExactString(reference.key)] ?? findUser(reference.key, db)
        if let named = try user(reference, current, at: time, resolution, db) { return named }
        return try user(
            UserReference(key: reference.key, name: reference.name, isSelf: current?.isSelf ?? reference.isSelf),
            at: time, db)
    }

    /// Returns the user whom ``user(then:at:id:_:_:)`` returns; nil if it would create one.
    mutating func knownUser(
        then reference: UserReference, at time: Int64, _ resolution: TimeResolution, _ db: Database
    ) throws -> Int64? {
        let current = try users[ExactString(reference.key)] ?? findUser(reference.key, db)
        if try traits(db).hasPermanentKeys { return current?.id }
        return try user(reference, current, at: time, resolution, db) ?? current?.id
    }

    /// Returns the user who had the name at that time or first got it later; nil if there is none.
    ///
    /// - Parameter current: The user who has the key today.
    private func user(
        _ reference: UserReference, _ current: NameEntry?, at time: Int64, _ resolution: TimeResolution, _ db: Database
    ) throws -> Int64? {
        if let current, current.name.isExactly(reference.name), current.firstSeen <= time { return current.id }
        let end = time.addingReportingOverflow(resolution.microseconds).partialValue
        return try user(called: reference.name, from: time, to: end, db)
    }

    /// Returns the user who has the key, and records that they had the name at that time, as far as stored messages allow.
    ///
    /// - Parameter id: The id of the message that shows the name, or its time if it has no id yet.
    private mutating func user(_ reference: UserReference, past id: Int64, _ db: Database) throws -> Int64 {
        let key = ExactString(reference.key)
        guard var entry = try users[key] ?? findUser(reference.key, db) else { return try user(reference, at: id, db) }
        if entry.firstSeen > id || !entry.name.isExactly(reference.name) {
            try NameTable.users.notePast(&entry, name: reference.name, at: id, db)
        }
        remember(entry, key: reference.key)
        return entry.id
    }

    /// Returns the user who got the name last before `end`. Several users can have it, because a user keeps a name in
    /// the table that another user has taken. If no user had the name yet, returns the user who got it first.
    private func user(called name: String, from start: Int64, to end: Int64, _ db: Database) throws -> Int64? {
        // The index ignores case.
        let statement = try db.cachedStatement(
            sql: """
                SELECT user_id FROM user_name JOIN user ON user.id = user_id
                WHERE name = ?1 COLLATE NOCASE AND name = ?1 AND (last_seen_us IS NULL OR last_seen_us > ?2)
                  AND \(BridgeBook.isOwn(key: "key"))
                ORDER BY first_seen_us >= ?3, abs(first_seen_us - ?3) LIMIT 1
                """)
        return try Int64.fetchOne(statement, arguments: [name, start, end])
    }
}
