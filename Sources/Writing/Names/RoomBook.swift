package import Bytes
package import ChatModel
import Networks
import Records
package import SQLite
import Schema

/// Finds or creates the rows of rooms, and records their names as they change.
///
/// Remembers the rows that it found. After a rollback, create a new one.
package struct RoomBook {
    private var rooms: [ExactString: NameEntry] = [:]
    /// Rooms by the folded names that imports use.
    var roomsByName: [ExactString: Int64] = [:] { didSet { lastRoom = nil } }
    /// The room in ``roomsByName`` that an import found last, by name.
    var lastRoom: (name: String, id: Int64)?
    /// How names are compared on the account's network; nil until it is needed.
    private var knownFolding: NameFolding?
    /// Names that no room has, in a rehearsal, which creates no room; nil for a book that writes.
    package var absent: Set<ExactString>?

    /// Returns how names are compared on the account's network.
    package mutating func folding(_ db: Database) throws -> NameFolding {
        let folding = try knownFolding ?? NetworkTraits.ofAccount(db).folding
        knownFolding = folding
        return folding
    }

    /// Returns the room, and records its name from that time on. Creates the room if it is missing.
    mutating func room(_ reference: RoomReference, at time: Int64, _ db: Database) throws -> Int64 {
        var entry = try knownRoom(reference, at: time, db)
        guard !entry.isForgotten, !entry.name.isExactly(reference.name), time >= entry.firstSeen else {
            return entry.id
        }
        try NameTable.rooms.rename(&entry, to: reference.name, at: time, db)
        return rememberRoom(entry, key: reference.key).id
    }

    /// Returns the room, and creates it if it is missing. Records no new name of a known room.
    mutating func knownRoom(_ reference: RoomReference, at time: Int64, _ db: Database) throws -> NameEntry {
        if let known = rooms[ExactString(reference.key)] { return known }
        return try rememberRoom(
            findRoom(reference.key, db) ?? makeRoom(reference, at: time, db), key: reference.key)
    }

    /// Records the name that a message shows for its room.
    ///
    /// - Parameter message: The id of the message.
    mutating func noteRoomName(_ reference: RoomReference, of message: Int64, _ db: Database) throws {
        var entry = try knownRoom(reference, at: message, db)
        guard !entry.isForgotten else { return }
        if try NameTable.rooms.settle(&entry, name: reference.name, at: message, db) {
            _ = rememberRoom(entry, key: reference.key)
        }
    }

    package mutating func roomEntry(_ key: String, _ db: Database) throws -> NameEntry? {
        if let known = rooms[ExactString(key)] { return known }
        return try findRoom(key, db).map { rememberRoom($0, key: key) }
    }

    mutating func rememberRoom(_ room: NameEntry, key: String) -> NameEntry {
        if rooms.count >= NameEntry.capacity / 4 { rooms.removeAll(keepingCapacity: true) }
        rooms[ExactString(key)] = room.isRemembered(key) ? room : nil
        return room
    }

    func hasRoom(_ key: String, _ db: Database) throws -> Bool {
        try rooms[ExactString(key)] != nil || findRoom(key, db) != nil
    }

    /// Gives the room another key.
    ///
    /// - Parameter row: The id of the message about the rename in the room; nil if there is none. The new name begins
    ///   directly after it.
    /// - Returns: False if another room has that key, or no room has the old one. Nothing changes then.
    mutating func rekeyRoom(
        from key: String, to reference: RoomReference, at time: Int64, row: Int64?, _ db: Database
    ) throws -> Bool {
        if !key.isExactly(reference.key) {
            guard try findRoom(reference.key, db) == nil, let known = try findRoom(key, db), !known.isForgotten else {
                return false
            }
            try db.cachedStatement(sql: "UPDATE room SET key = ? WHERE key = ?").execute(arguments: [
                reference.key, key,
            ])
            rooms[ExactString(key)] = nil
            roomsByName = [:]
        }
        if var entry = try findRoom(reference.key, db), !entry.isForgotten, !entry.name.isExactly(reference.name) {
            try NameTable.rooms.rename(&entry, to: reference.name, behind: row, at: time, db)
            _ = rememberRoom(entry, key: reference.key)
        }
        _ = try room(reference, at: time, db)
        return true
    }

    /// Gives a room that was stored under a wrong name its true one, and the key of that name. The wrong name is forgotten.
    mutating func correctRoom(_ id: Int64, to name: String, key: String, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE room SET key = ? WHERE id = ?").execute(arguments: [key, id])
        try db.cachedStatement(sql: "UPDATE room_name SET name = ? WHERE room_id = ? AND last_seen_us IS NULL")
            .execute(arguments: [name, id])
        (rooms, roomsByName) = ([:], [:])
        absent?.remove(ExactString(key))
        try Feed.name(roomID: id, db)
    }

    /// Returns the room with today's name; for the key of a direct room with a forgotten person, the room that is left
    /// of it.
    func findRoom(_ key: String, _ db: Database) throws -> NameEntry? {
        if let room = try storedRoom(key, db) { return room }
        guard let kept = try ForgottenBook(db).key(ofDirectRoom: key, db), var room = try storedRoom(kept, db) else {
            return nil
        }
        room.isForgotten = true
        return room
    }

    /// Returns the room with today's name, which is the one that began last. Does not read the names in between, which
    /// may be many.
    private func storedRoom(_ key: String, _ db: Database) throws -> NameEntry? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT room.id, room_name.name, room_name.first_seen_us,
                  (SELECT min(first_seen_us) FROM room_name WHERE room_id = room.id),
                  EXISTS (SELECT 1 FROM merge WHERE what = 1 AND into_id = room.id)
                FROM room JOIN room_name ON room_name.room_id = room.id AND room_name.first_seen_us =
                  (SELECT max(first_seen_us) FROM room_name WHERE room_id = room.id)
                WHERE room.id = \(MergeBook.room(key: "?"))
                """)
        return try statement.first(arguments: [key]) { row in
            try NameEntry(
                id: row.value(0), name: row.value(1), firstSeen: row.value(2), earliest: row.value(3),
                isMerged: row.value(4) as Int64 != 0)
        }
    }

    func makeRoom(_ reference: RoomReference, at time: Int64, _ db: Database) throws -> NameEntry {
        var reference = reference
        let kept = try ForgottenBook(db).key(ofDirectRoom: reference.key, db)
        if let kept { (reference.key, reference.name) = (kept, ForgottenBook.personName) }
        try db.cachedStatement(sql: "INSERT INTO room (key, kind) VALUES (?, ?)")
            .execute(arguments: [reference.key, reference.kind.rawValue])
        let id = db.lastInsertedRowID
        try NameTable.rooms.insert(reference.name, of: id, since: time, db)
        try Feed.name(roomID: id, db)
        return NameEntry(id: id, name: reference.name, firstSeen: time, earliest: time, isForgotten: kept != nil)
    }
}
