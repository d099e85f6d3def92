import Bytes
package import ChatModel
import Records
package import SQLite

/// Stores the rooms, workspaces and people of a full export, with all the names that they had.
extension Directory {
    package mutating func storeUser(_ record: UserRecord, _ db: Database) throws {
        guard let record = try names.people.unforgotten(record, db), let identity = record.identity,
            let first = record.names.first
        else { return }
        var person = ImportedPerson(identity.withoutNUL)
        let time = first.firstSeen.microseconds
        let user: Int64
        var isNamed = false
        if let known = try names.people.findByFirstName(record, db) {
            user = known
            try updateKey(of: user, to: record.key?.withoutNUL, db)
        } else if let known = try names.people.find(person, at: time, db) {
            user = known
            if case .key(let key)? = person.identity, var entry = try names.people.userEntry(key, db) {
                isNamed = try names.people.replaceKey(key, asNameOf: &entry, by: first.name.withoutNUL, db)
            }
        } else {
            (person.name, person.isSelf) = (first.name.withoutNUL, record.isSelf)
            user = try names.people.user(person, at: time, isLate: true, db)
        }
        let isRenamed = try NameTable.users.merge(record.names, of: user, db)
        let isPictureChanged = try FactTable.userPictures.merge(record.pictures, of: user, db)
        guard isNamed || isRenamed || isPictureChanged else { return }
        if try !names.people.ownNames(db).names.isEmpty { try OwnNames.settle(db) }
        try Feed.name(userID: user, db)
        names = NameBook()
    }

    /// Sets a user's key to the export's key; nil if another user has taken the key. Changes nothing in an account that
    /// a listener ever wrote.
    private mutating func updateKey(of user: Int64, to key: String?, _ db: Database) throws {
        let hasListener = try CoverageLedger.hasListener(db)
        let today = try String.fetchOne(
            db.cachedStatement(sql: "SELECT key FROM user WHERE id = ?"), arguments: [user])
        guard !hasListener, today.map(ExactString.init) != key.map(ExactString.init) else { return }
        try names.people.setKey(key, of: user, db)
        names = NameBook()
    }

    package func storeWorkspace(_ record: WorkspaceRecord, _ db: Database) throws {
        let key = record.key.withoutNUL
        let known = try Int64.fetchOne(db, sql: "SELECT id FROM workspace WHERE key = ?", arguments: [key])
        if known == nil { try db.execute(sql: "INSERT INTO workspace (key) VALUES (?)", arguments: [key]) }
        let id = known ?? db.lastInsertedRowID
        _ = try NameTable.workspaces.merge(record.names, of: id, db)
        if try FactTable.workspacePictures.merge(record.pictures, of: id, db) { try Feed.names(ofRoomsIn: id, db) }
    }

    package mutating func storeRoom(_ record: RoomRecord, _ db: Database) throws {
        guard let first = record.names.first else { return }
        let key = record.key.withoutNUL
        let known = try names.rooms.roomEntry(key, db)
        let reference = RoomReference(key: key, name: first.name.withoutNUL, kind: record.kind)
        let entry = try known ?? names.rooms.makeRoom(reference, at: first.firstSeen.microseconds, db)
        guard !entry.isForgotten else { return }
        if known != nil { try ImportedRoomKinds.store(record.kind, of: entry.id, db) }
        let room = entry.id
        var isChanged = try NameTable.rooms.merge(record.names, of: room, db)
        if try updateRoom(room, from: record, db) { isChanged = true }
        if try FactTable.roomPictures.merge(record.pictures, of: room, db) { isChanged = true }
        if try FactTable.roomDescriptions.merge(record.descriptions, of: room, db) { isChanged = true }
        let owners = try record.owners.compactMap { owner -> FactTable.Span? in
            let time = owner.firstSeen.microseconds
            guard let user = try names.people.mentioned(ImportedPerson(owner.user.withoutNUL), at: time, db) else {
                return nil
            }
            return FactTable.Span(value: user.databaseValue, since: time, until: owner.lastSeen?.microseconds)
        }
        if try FactTable.roomOwners.merge(owners, of: room, db) { isChanged = true }
        guard isChanged || known == nil else { return }
        try Feed.name(roomID: room, db)
        names = NameBook()
    }

    /// Sets the workspace and the partner of a room that lacks them, and the times of its list.
    ///
    /// - Returns: True if anything changed.
    private mutating func updateRoom(_ room: Int64, from record: RoomRecord, _ db: Database) throws -> Bool {
        let workspace = try record.workspaceKey.flatMap {
            try Int64.fetchOne(db, sql: "SELECT id FROM workspace WHERE key = ?", arguments: [$0.withoutNUL])
        }
        let time = record.names.first?.firstSeen.microseconds ?? 0
        let partner = try record.partner.flatMap {
            try names.people.mentioned(ImportedPerson($0.withoutNUL), at: time, db)
        }
        try db.execute(
            sql: """
                UPDATE room SET workspace_id = ifnull(workspace_id, ?2), partner_id = ifnull(partner_id, ?3)
                WHERE id = ?1 AND (workspace_id IS NULL AND ?2 IS NOT NULL OR partner_id IS NULL AND ?3 IS NOT NULL)
                """,
            arguments: [room, workspace, partner])
        let isPlaced = db.changesCount > 0
        // An account that a listener ever wrote keeps its own times.
        try db.execute(
            sql: """
                UPDATE room SET left_at_us = ?2, gone_at_us = ?3, asked_back_to_us = ?4
                WHERE id = ?1 AND (left_at_us IS NOT ?2 OR gone_at_us IS NOT ?3 OR asked_back_to_us IS NOT ?4)
                  AND NOT EXISTS (SELECT 1 FROM session WHERE id <> \(CoverageLedger.importSession))
                """,
            arguments: [
                room, record.leftAt?.microseconds, record.goneAt?.microseconds, record.fetchedBackTo?.microseconds,
            ])
        return isPlaced || db.changesCount > 0
    }

    package mutating func storeMembership(_ record: MembershipRecord, _ db: Database) throws {
        guard let room = try names.rooms.roomEntry(record.roomKey.withoutNUL, db)?.id,
            let user = try names.people.mentioned(ImportedPerson(record.user), at: record.latest, db)
        else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO membership (room_id, user_id, joined_at_us, left_at_us) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT DO UPDATE SET joined_at_us = ?3, left_at_us = ?4
                  WHERE max(ifnull(?3, 0), ifnull(?4, 0)) > max(ifnull(joined_at_us, 0), ifnull(left_at_us, 0))
                """
        ).execute(arguments: [room, user, record.joinedAt?.microseconds, record.leftAt?.microseconds])
        if db.changesCount > 0 { members = MemberBook() }
    }
}

extension UserRecord {
    /// Returns the user whose first name, and the time when it began, are those of the record. Ignores the user's key.
    /// Returns nil if there are several such users.
    func findByFirstName(_ db: Database) throws -> Int64? {
        guard let first = names.first else { return nil }
        // The index ignores case.
        let statement = try db.cachedStatement(
            sql: """
                SELECT user_id FROM user_name AS first
                WHERE name = ?1 COLLATE NOCASE AND name = ?1 AND first_seen_us = ?2
                  AND NOT EXISTS (SELECT 1 FROM user_name WHERE user_id = first.user_id AND first_seen_us < ?2)
                """)
        let found = try Int64.fetchAll(
            statement, arguments: [first.name.withoutNUL, first.firstSeen.microseconds])
        // The caller chooses among several users by their key.
        return found.count == 1 ? found[0] : nil
    }
}

extension UserIdentity {
    package var withoutNUL: UserIdentity {
        switch self {
        case .key(let key): .key(key.withoutNUL)
        case .former(let former):
            .former(Former(name: former.name.withoutNUL, firstSeen: former.firstSeen))
        }
    }
}

extension MembershipRecord {
    /// The later of joining and leaving, in microseconds since 1970; the earliest believable time if both are unknown.
    package var latest: Int64 {
        [joinedAt, leftAt].compactMap(\.self).max()?.microseconds ?? Timestamp.earliestPlausible.microseconds
    }
}

extension ImportedPerson {
    /// Creates a person whose names come in a separate record.
    package init(_ identity: UserIdentity) {
        self.init(name: identity.former?.name ?? identity.key ?? "", identity: identity, isExact: true)
    }
}
