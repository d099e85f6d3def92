import Bytes
package import ChatModel
import Records
package import SQLite
import Schema

/// Finds and creates the rooms of logs and exports by their key, or by their name if they have no key. The time of a log
/// may be long ago.
///
/// A log's name becomes today's name only if nothing later is stored. A name from before the first stored one becomes an
/// earlier name. In between, the stored name stays. The messages of a full export change no names, because its names come
/// in separate records.
extension RoomBook {
    package mutating func findRoom(of message: ImportedMessage, _ db: Database) throws -> Int64? {
        guard let key = message.exact?.roomKey ?? message.roomKey else { return try findRoom(named: message.room, db) }
        if let entry = try roomEntry(key, db) { return entry.id }
        return message.exact == nil ? try keylessRoom(named: message.room, db) : nil
    }

    /// Gives the key of a message's room to the room that a source without keys created, if no room has that key yet.
    /// So the two exports that a program makes of one room lead to one room, in either order. Gives the room of
    /// ``roomOfFile(of:_:)`` its true name.
    package mutating func adoptRoom(of message: ImportedMessage, at time: Int64, _ db: Database) throws {
        if let room = try roomOfFile(of: message, db) {
            return try correctRoom(room, to: message.room, key: folding(db).fold(message.room), db)
        }
        guard message.exact == nil, let key = message.roomKey, try roomEntry(key, db) == nil,
            try keylessRoom(named: message.room, db) != nil
        else { return }
        let folded = try folding(db).fold(message.room)
        let reference = RoomReference(key: key, name: message.room, kind: message.roomKind)
        _ = try rekeyRoom(from: folded, to: reference, at: time, row: nil, db)
    }

    /// Returns the room that an earlier import of a log created for the name of its file, when the log's lines did not name the
    /// room yet; nil if there is none.
    ///
    /// The room must have the message: it may also be another room, which really has the name of the file.
    package mutating func roomOfFile(of message: ImportedMessage, _ db: Database) throws -> Int64? {
        guard message.exact == nil, message.roomKey == nil, let name = message.roomInFile,
            try findRoom(named: message.room, db) == nil, let room = try keylessRoom(named: name, db)
        else { return nil }
        let time = (message.place ?? message.time).microseconds
        let statement = try db.cachedStatement(
            sql: """
                SELECT 1 FROM message
                WHERE room_id = ?1 AND noise IN (0, 1) AND id >= ?2 AND id < ?3 AND kind = ?4 AND body IS ?5
                  AND (?6 IS NULL AND sender_id IS NULL
                    OR sender_id IN (SELECT user_id FROM user_name WHERE name = ?6 COLLATE NOCASE))
                LIMIT 1
                """)
        // The archive moves a time by microseconds until it is unique.
        let end = time &+ max(message.resolution.microseconds, 1_000_000)
        let found = try Int64.fetchOne(
            statement, arguments: [room, time, end, message.kind.code, message.body, message.sender])
        return found == nil ? nil : room
    }

    /// Returns the room that an import created for a name; nil if there is none. Never returns a listener's room,
    /// because its network finds it by its key.
    private mutating func keylessRoom(named name: String, _ db: Database) throws -> Int64? {
        guard let room = try findRoom(named: name, db) else { return nil }
        let statement = try db.cachedStatement(
            sql: "SELECT id FROM room WHERE id = ? AND key = ? AND NOT EXISTS (SELECT 1 FROM session)")
        return try Int64.fetchOne(statement, arguments: [room, folding(db).fold(name)])
    }

    /// Returns the room of a message, and creates it if it is missing.
    package mutating func room(of message: ImportedMessage, at time: Int64, _ db: Database) throws -> Int64 {
        if let exact = message.exact {
            let reference = RoomReference(key: exact.roomKey, name: message.room, kind: exact.roomKind)
            return try knownRoom(reference, at: time, db).id
        }
        guard let key = message.roomKey else {
            return try room(named: message.room, kind: message.roomKind, at: time, db)
        }
        return try knownRoom(RoomReference(key: key, name: message.room, kind: message.roomKind), at: time, db).id
    }

    /// Records the name that a message shows for its room, at the message's new id.
    ///
    /// - Parameter isLate: True if something later is already stored.
    package mutating func noteRoom(of message: ImportedMessage, at id: Int64, isLate: Bool, _ db: Database) throws {
        guard message.exact == nil, let key = message.roomKey, var entry = try roomEntry(key, db), !entry.isForgotten
        else { return }
        if id < entry.earliest {
            try NameTable.rooms.insertEarlier(message.room, of: &entry, at: id, db)
        } else if !isLate, !entry.name.isExactly(message.room), id >= entry.firstSeen {
            try NameTable.rooms.rename(&entry, to: message.room, at: id, db)
        } else {
            return
        }
        _ = rememberRoom(entry, key: key)
    }

    /// ``NameFolding/rfc1459`` in SQL, without the case: the expression of the index `room_name_irc`.
    private static let foldedName = """
        replace(replace(replace(replace(name, '[', '{'), '\\', '|'), ']', '}'), '~', '^')
        """

    /// Returns the room that has the name today, or else the room that an import created for the name; nil if there
    /// is none.
    package mutating func findRoom(named name: String, _ db: Database) throws -> Int64? {
        if let lastRoom, lastRoom.name.isExactly(name) { return lastRoom.id }
        let folded = try folding(db).fold(name)
        if let known = roomsByName[ExactString(folded)] {
            lastRoom = (name, known)
            return known
        }
        if absent?.contains(ExactString(folded)) == true { return nil }
        let condition =
            switch try folding(db) {
            case .exact: "name = ?"
            case .rfc1459: "\(Self.foldedName) = ? COLLATE NOCASE"
            }
        let statement = try db.cachedStatement(
            sql: "SELECT room_id FROM room_name WHERE last_seen_us IS NULL AND \(condition) ORDER BY room_id LIMIT 1")
        let room =
            try Int64.fetchOne(statement, arguments: [folded])
            ?? findRoom(folded, db)?.id
        remember(room: room, named: folded)
        if room == nil, let count = absent?.count, count < NameEntry.capacity, NameEntry.isShort(folded) {
            absent?.insert(ExactString(folded))
        }
        return room
    }

    package mutating func room(
        named name: String, kind: RoomReference.Kind = .channel, at time: Int64, _ db: Database
    ) throws -> Int64 {
        if let known = try findRoom(named: name, db) { return known }
        let folded = try folding(db).fold(name)
        let id = try makeRoom(RoomReference(key: folded, name: name, kind: kind), at: time, db).id
        remember(room: id, named: folded)
        return id
    }

    private mutating func remember(room: Int64?, named folded: String) {
        if roomsByName.count >= NameEntry.capacity { roomsByName.removeAll(keepingCapacity: true) }
        roomsByName[ExactString(folded)] = NameEntry.isShort(folded) ? room : nil
    }
}
