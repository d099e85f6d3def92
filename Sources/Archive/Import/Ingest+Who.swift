import ChatModel
import GRDB

/// Rooms, workspaces and people as a full export tells of them, with all the names that they had.
extension Ingest {
    mutating func store(_ record: UserRecord, _ db: Database) throws {
        guard let identity = record.identity, let first = record.names.first else { return }
        var person = ImportedPerson(identity.withoutNUL)
        let time = first.firstSeen.microseconds
        let user: Int64
        if let known = try record.findByFirstName(db) {
            user = known
            try rekey(user, to: record.key?.withoutNUL, db)
        } else if let known = try names.find(person, at: time, db) {
            user = known
        } else {
            (person.name, person.isSelf) = (first.name.withoutNUL, record.isSelf)
            user = try names.user(person, at: time, isLate: true, db)
        }
        let isRenamed = try NameHistory(table: "user_name", owner: "user_id").merge(record.names, of: user, db)
        let isShownAnew = try PictureHistory.merge(record.pictures, of: user, db)
        guard isRenamed || isShownAnew else { return }
        try Feed.name(userID: user, db)
        names = NameBook()
    }

    /// They have taken another name as their key since an earlier export, or somebody else has taken theirs. A listener knows
    /// better.
    private mutating func rekey(_ user: Int64, to key: String?, _ db: Database) throws {
        let hasListener = try CoverageLedger.hasListener(db)
        let today = try String.fetchOne(
            db.cachedStatement(sql: "SELECT key FROM user WHERE id = ?"), arguments: [user])
        guard !hasListener, today.map(ExactString.init) != key.map(ExactString.init) else { return }
        try db.cachedStatement(sql: "UPDATE user SET key = NULL WHERE key = ?").execute(arguments: [key])
        try db.cachedStatement(sql: "UPDATE user SET key = ? WHERE id = ?").execute(arguments: [key, user])
        names = NameBook()
    }

    func workspace(_ record: WorkspaceRecord, _ db: Database) throws -> Int64 {
        let key = record.key.withoutNUL
        let known = try Int64.fetchOne(db, sql: "SELECT id FROM workspace WHERE key = ?", arguments: [key])
        if known == nil { try db.execute(sql: "INSERT INTO workspace (key) VALUES (?)", arguments: [key]) }
        let id = known ?? db.lastInsertedRowID
        _ = try NameHistory(table: "workspace_name", owner: "workspace_id").merge(record.names, of: id, db)
        return id
    }

    mutating func store(_ record: RoomRecord, _ db: Database) throws {
        guard let first = record.names.first else { return }
        let key = record.key.withoutNUL
        let known = try names.roomEntry(key, db)?.id
        let reference = RoomReference(key: key, name: first.name.withoutNUL, kind: record.kind)
        let room = try known ?? names.makeRoom(reference, at: first.firstSeen.microseconds, db).id
        var isChanged = try NameHistory(table: "room_name", owner: "room_id").merge(record.names, of: room, db)
        let workspace = try record.workspaceKey.flatMap {
            try Int64.fetchOne(db, sql: "SELECT id FROM workspace WHERE key = ?", arguments: [$0.withoutNUL])
        }
        let partner = try record.partner.map {
            try names.user(ImportedPerson($0.withoutNUL), at: first.firstSeen.microseconds, isLate: true, db)
        }
        try db.execute(
            sql: """
                UPDATE room SET workspace_id = ifnull(workspace_id, ?2), partner_id = ifnull(partner_id, ?3)
                WHERE id = ?1 AND (workspace_id IS NULL AND ?2 IS NOT NULL OR partner_id IS NULL AND ?3 IS NOT NULL)
                """,
            arguments: [room, workspace, partner])
        if db.changesCount > 0 { isChanged = true }
        // A listener knows better.
        try db.execute(
            sql: """
                UPDATE room SET left_at_us = ?2, gone_at_us = ?3, asked_back_to_us = ?4
                WHERE id = ?1 AND (left_at_us IS NOT ?2 OR gone_at_us IS NOT ?3 OR asked_back_to_us IS NOT ?4)
                  AND NOT EXISTS (SELECT 1 FROM session WHERE id <> \(CoverageLedger.importSession))
                """,
            arguments: [
                room, record.leftAt?.microseconds, record.goneAt?.microseconds, record.askedBackTo?.microseconds,
            ])
        if db.changesCount > 0 { isChanged = true }
        guard isChanged || known == nil else { return }
        try Feed.name(roomID: room, db)
        names = NameBook()
    }
}

/// The names of something over time, which follow each other without a gap, the last of them today's.
struct NameHistory {
    let table: String
    let owner: String

    /// Brings those from before the first and after the last name that is known; what is known in between stays.
    ///
    /// - Returns: whether there were any.
    func merge(_ told: [NameSpan], of id: Int64, _ db: Database) throws -> Bool {
        let (before, earliest, after) = try missing(of: told, id, db)
        try insert(before, until: earliest, of: id, db)
        if let next = after.first {
            try db.execute(
                sql: "UPDATE \(table) SET last_seen_us = ? WHERE \(owner) = ? AND last_seen_us IS NULL",
                arguments: [next.firstSeen.microseconds, id])
            try insert(after, until: nil, of: id, db)
        }
        return !before.isEmpty || !after.isEmpty
    }

    /// Whether there is any that ``merge(_:of:_:)`` would bring.
    func lacks(_ told: [NameSpan], of id: Int64, _ db: Database) throws -> Bool {
        let (before, _, after) = try missing(of: told, id, db)
        return !before.isEmpty || !after.isEmpty
    }

    /// - Returns: those before the first name that is known, when that began, and those after the last one.
    private func missing(
        of told: [NameSpan], _ id: Int64, _ db: Database
    ) throws -> (before: [NameSpan], earliest: Int64?, after: [NameSpan]) {
        let told = told.sorted { $0.firstSeen < $1.firstSeen }
        let known = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT name, first_seen_us FROM \(table) WHERE \(owner) = ? ORDER BY first_seen_us"),
            arguments: [id])
        guard let first = known.first, let last = known.last else { return (told, nil, []) }
        let (earliest, name, latest): (Int64, String, Int64) = try (first.value(1), last.value(0), last.value(1))
        let after = told.filter { $0.firstSeen.microseconds > latest }
        let isSame = after.first?.name.withoutNUL.isExactly(name) ?? false
        return (
            told.filter { $0.firstSeen.microseconds < earliest }, earliest, Array(after.dropFirst(isSame ? 1 : 0))
        )
    }

    /// - Parameter end: When the last one of them had another; nil for today's.
    private func insert(_ spans: [NameSpan], until end: Int64?, of id: Int64, _ db: Database) throws {
        for (index, span) in spans.enumerated() {
            let next = index + 1 < spans.count ? spans[index + 1].firstSeen.microseconds : end
            guard next != span.firstSeen.microseconds else { continue }
            try db.execute(
                sql: "INSERT INTO \(table) (\(owner), first_seen_us, last_seen_us, name) VALUES (?, ?, ?, ?)",
                arguments: [id, span.firstSeen.microseconds, next, span.name.withoutNUL])
        }
    }
}

/// Where somebody's picture is or was; there may have been none in between.
enum PictureHistory {
    /// Brings those that are later than what is known.
    static func merge(_ told: [NameSpan], of user: Int64, _ db: Database) throws -> Bool {
        guard try lacks(told, of: user, db) else { return false }
        var isChanged = false
        for span in told.sorted(by: { $0.firstSeen < $1.firstSeen }) {
            let since = span.firstSeen.microseconds
            let last = try Int64?.fetchOne(
                db, sql: "SELECT max(first_seen_us) FROM user_picture WHERE user_id = ?", arguments: [user])
            if let last = last ?? nil, last > since { continue }
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
}

extension PictureHistory {
    /// Whether there is any that ``merge(_:of:_:)`` would bring.
    static func lacks(_ told: [NameSpan], of user: Int64, _ db: Database) throws -> Bool {
        guard let latest = told.max(by: { $0.firstSeen < $1.firstSeen }) else { return false }
        // The last one that is known, while it is shown.
        let statement = try db.cachedStatement(
            sql: """
                SELECT first_seen_us < ?2 OR first_seen_us = ?2 AND last_seen_us IS NULL AND ?3 FROM user_picture
                WHERE user_id = ?1 ORDER BY first_seen_us DESC LIMIT 1
                """)
        return try Bool.fetchOne(
            statement, arguments: [user, latest.firstSeen.microseconds, latest.lastSeen != nil]) ?? true
    }
}

extension UserRecord {
    /// Who had their first name first of all, and since then: whatever key they have by now.
    func findByFirstName(_ db: Database) throws -> Int64? {
        guard let first = names.first else { return nil }
        // The index is of names without regard to case.
        let statement = try db.cachedStatement(
            sql: """
                SELECT user_id FROM user_name AS first
                WHERE name = ?1 COLLATE NOCASE AND name = ?1 AND first_seen_us = ?2
                  AND NOT EXISTS (SELECT 1 FROM user_name WHERE user_id = first.user_id AND first_seen_us < ?2)
                """)
        let found = try Int64.fetchAll(
            statement, arguments: [first.name.withoutNUL, first.firstSeen.microseconds])
        // Of several the key says which.
        return found.count == 1 ? found[0] : nil
    }
}

extension UserIdentity {
    var withoutNUL: UserIdentity {
        switch self {
        case .key(let key): .key(key.withoutNUL)
        case .former(let former):
            .former(Former(name: former.name.withoutNUL, firstSeen: former.firstSeen))
        }
    }
}
