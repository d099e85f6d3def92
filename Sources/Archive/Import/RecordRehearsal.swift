import Bytes
import ChatModel
import FoundationEssentials
import Records
import SQLite
import Schema
import Writing

/// A rehearsal of an import of a full export's records, which stores nothing.
///
/// Compares each record with the archive, and with the rooms and spans that came before it in the export. Counts a
/// record as new even if an earlier record would bring the same change.
struct RecordRehearsal {
    /// Hashes of the keys of rooms that would be created.
    private var rooms: Set<Int> = []
    /// Hashes of (room, end) of spans that would be stored.
    private var ends: Set<Int> = []

    /// The limit of each set. The rehearsal of a larger export counts fewer records as new.
    private static let capacity = 100_000

    mutating func isNew(_ record: ArchiveRecord, names: inout NameBook, _ db: Database) throws -> Bool {
        switch record {
        case .account: false
        case .workspace(let record): try isNew(record, db)
        case .user(let record): try isNew(record, &names, db)
        case .room(let record): try isNew(record, db)
        case .membership(let record): try isNew(record, &names, db)
        case .coverage(let record): try isNew(record, db)
        case .importedSpan(let record):
            try isNew(
                in: record.roomKey, [record.from.microseconds, record.to.microseconds],
                known: "SELECT 1 FROM imported_span WHERE room_id = ? AND from_us <= ? AND to_us >= ?", db)
        case .gapNote(let record): try isNew(record, db)
        case .readMarker(let record):
            try isNew(
                in: record.roomKey, [record.setAt.microseconds],
                known: "SELECT 1 FROM read_marker WHERE room_id = ? AND set_at_us >= ?", db)
        case .retraction(let record):
            try isNew(
                in: record.roomKey, [record.remoteID.withoutNUL, record.wipes],
                known: "SELECT 1 FROM retraction WHERE room_id = ? AND remote_id = ? AND wipes >= ?", db)
        case .reaction(let record):
            try room(record.roomKey, db).map {
                try ImportedReaction(record.reaction).isMissing(
                    to: record.remoteID.withoutNUL, room: $0, names: &names, db)
            } ?? isPlanned(record.roomKey)
        case .failure(let record): try isNew(record, db)
        }
    }

    private func room(_ key: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT \(MergeBook.room(key: "?"))"), arguments: [key.withoutNUL])
    }

    private func isPlanned(_ room: String) -> Bool { rooms.contains(ExactString(room.withoutNUL).hashValue) }

    /// - Parameter known: SQL that finds the stored fact; its first parameter is the room.
    private func isNew(
        in key: String, _ facts: [(any DatabaseValueConvertible)?], known: String, _ db: Database
    ) throws -> Bool {
        guard let room = try room(key, db) else { return isPlanned(key) }
        return try Int64.fetchOne(db.cachedStatement(sql: known), arguments: [room] + StatementArguments(facts)) == nil
    }

    private func isNew(_ record: WorkspaceRecord, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT id FROM workspace WHERE key = ?")
        guard let known = try Int64.fetchOne(statement, arguments: [record.key.withoutNUL]) else { return true }
        return try NameTable.workspaces.lacks(record.names, of: known, db)
            || FactTable.workspacePictures.lacks(record.pictures, of: known, db)
    }

    private func isNew(_ record: UserRecord, _ names: inout NameBook, _ db: Database) throws -> Bool {
        guard let identity = record.identity?.withoutNUL, let first = record.names.first else { return false }
        let today = try names.people.find(ImportedPerson(identity), at: first.firstSeen.microseconds, db)
        var isChanged = false
        let known = try names.people.findByFirstName(record, db)
        if let known, known != today, try !CoverageLedger.hasListener(db) {
            // An import would give this user the key, and take it from its present owner.
            let statement = try db.cachedStatement(sql: "SELECT key FROM user WHERE id = ?")
            if let old = try String.fetchOne(statement, arguments: [known]),
                names.people.rehearsal?.people[.key(old)] == nil
            {
                names.people.rehearsal?.people[.key(old)] = .nobody
            }
            names.people.rehearsal?.people[identity] = .user(known)
            isChanged = true
        }
        guard let user = known ?? today else { return true }
        return try isChanged || NameTable.users.lacks(record.names, of: user, db)
            || FactTable.userPictures.lacks(record.pictures, of: user, db)
    }

    private mutating func isNew(_ record: RoomRecord, _ db: Database) throws -> Bool {
        guard !record.names.isEmpty else { return false }
        guard let room = try room(record.key, db) else {
            if rooms.count >= Self.capacity { rooms.removeAll(keepingCapacity: true) }
            rooms.insert(ExactString(record.key.withoutNUL).hashValue)
            return true
        }
        let statement = try db.cachedStatement(
            sql: """
                SELECT workspace_id IS NULL AND ?2 OR partner_id IS NULL AND ?3
                  OR (left_at_us IS NOT ?4 OR gone_at_us IS NOT ?5 OR asked_back_to_us IS NOT ?6) AND NOT ?7
                FROM room WHERE id = ?1
                """)
        let isChanged = try Bool.fetchOne(
            statement,
            arguments: [
                room, record.workspaceKey != nil, record.partner != nil, record.leftAt?.microseconds,
                record.goneAt?.microseconds, record.fetchedBackTo?.microseconds, try CoverageLedger.hasListener(db),
            ])
        return try isChanged == true
            || NameTable.rooms.lacks(record.names, of: room, db)
            || FactTable.roomPictures.lacks(record.pictures, of: room, db)
            || FactTable.roomDescriptions.lacks(record.descriptions, of: room, db)
            || FactTable.roomOwners.lacks(
                record.owners.map {
                    FactTable.Span(
                        value: .null, since: $0.firstSeen.microseconds, until: $0.lastSeen?.microseconds)
                }, of: room, db)
    }

    private func isNew(_ record: MembershipRecord, _ names: inout NameBook, _ db: Database) throws -> Bool {
        guard let user = try names.people.find(ImportedPerson(record.user), at: record.latest, db) else { return true }
        return try isNew(
            in: record.roomKey, [user, record.joinedAt?.microseconds, record.leftAt?.microseconds],
            known: """
                SELECT 1 FROM membership WHERE room_id = ?1 AND user_id = ?2
                  AND max(ifnull(?3, 0), ifnull(?4, 0)) <= max(ifnull(joined_at_us, 0), ifnull(left_at_us, 0))
                """, db)
    }

    private mutating func isNew(_ record: SpanRecord, _ db: Database) throws -> Bool {
        guard record.from <= record.to else { return false }
        let isNew =
            try room(record.roomKey, db).map { room in
                try !CoverageLedger.isCovered(
                    room: room, from: record.from.microseconds, to: record.to.microseconds, db)
            } ?? isPlanned(record.roomKey)
        if isNew {
            if ends.count >= Self.capacity { ends.removeAll(keepingCapacity: true) }
            ends.insert(Self.end(record.roomKey, record.to))
        }
        return isNew
    }

    private static func end(_ room: String, _ time: Timestamp) -> Int {
        [ExactString(room.withoutNUL), ExactString(time.description)].hashValue
    }

    private func isNew(_ record: GapNoteRecord, _ db: Database) throws -> Bool {
        let isNew = try isNew(
            in: record.roomKey, [record.from.microseconds],
            known: "SELECT 1 FROM gap_note WHERE room_id = ? AND from_us = ?", db)
        guard isNew, !ends.contains(Self.end(record.roomKey, record.from)) else { return isNew }
        // A note is stored only where a span ends.
        return try !self.isNew(
            in: record.roomKey, [record.from.microseconds],
            known: """
                SELECT 1 FROM (SELECT room_id, to_us FROM coverage UNION SELECT room_id, to_us FROM imported_span)
                WHERE room_id = ? AND to_us = ?
                """, db)
    }

    private func isNew(_ record: FailureRecord, _ db: Database) throws -> Bool {
        let room = try record.roomKey.flatMap { key in try self.room(key, db) }
        let content = record.remoteID?.withoutNUL.databaseValue ?? Data(record.payload).databaseValue
        let statement = try db.cachedStatement(
            sql: """
                SELECT 1 FROM failure WHERE ifnull(room_id, 0) = ? AND ifnull(remote_id, payload) = ?
                  AND count >= ? AND last_at_us >= ?
                """)
        return try Int64.fetchOne(
            statement, arguments: [room ?? 0, content, record.count, record.lastAt.microseconds]) == nil
    }
}
