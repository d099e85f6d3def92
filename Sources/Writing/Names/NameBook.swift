package import Bytes
package import ChatModel
import Networks
import Records
package import SQLite
import Schema

/// Finds or creates the rows of rooms and users, and records their names as they change.
///
/// Remembers the rows that it found. After a rollback, create a new one.
package struct NameBook {
    package struct Entry {
        package var id: Int64
        var name: String
        var firstSeen: Int64
        /// The beginning of the first name.
        var earliest: Int64
        /// True if the network or an export says that it is the account's own person.
        var isSelf = false
        /// True for a direct room with a forgotten person, which keeps its name.
        var isForgotten = false
        /// True for one that took up another: two keys lead to it, so an entry of either could become out of date.
        var isMerged = false
        /// The latest message that is known to show an earlier name: today's name can't begin before it.
        var lastUnderEarlierName: Int64 = .min

        /// Returns true if a message of that id under today's name does not move the beginning of that name.
        func isSettled(_ id: Int64) -> Bool {
            isToday(id) || id <= lastUnderEarlierName
        }

        func isRemembered(_ key: String) -> Bool {
            !isMerged && max(key.utf8.count, name.utf8.count) <= longestRemembered
        }

        /// Returns true if today's name holds at that time.
        func isToday(_ time: Int64) -> Bool { time >= firstSeen || firstSeen == earliest }
    }

    /// The limit of users in memory, at about 200 bytes each and 500 at most: more users than the busiest channels
    /// have.
    static let capacity = 20_000
    /// The length of the longest key or name that is remembered, in bytes. A longer one costs a look-up each time.
    static let longestRemembered = 64

    private var rooms: [ExactString: Entry] = [:]
    var users: [ExactString: Entry] = [:] { didSet { (lastUser, lastAbsent) = (nil, nil) } }
    /// Rooms by the folded names that imports use.
    var roomsByName: [ExactString: Int64] = [:] { didSet { lastRoom = nil } }
    /// The user in ``users`` whom an import found last, by name, with the key. It looks for each sender twice.
    var lastUser: (name: String, entry: Entry, key: String)?
    /// The name of the last sender without a user, and the time from which no user has or gets it.
    package var lastAbsent: (name: String, time: Int64)?
    /// The room in ``roomsByName`` that an import found last, by name.
    var lastRoom: (name: String, id: Int64)?
    /// The traits of the account's network; nil until they are needed.
    var traits: NetworkTraits?
    /// The forgotten people; nil until they are needed.
    private var forgottenBook: ForgottenBook?
    /// The names of the account's own person; nil until they are needed.
    private var knownOwnNames: OwnNames?
    /// The users who are the account's own person; nil until an import needs them.
    package var ownUsers: OwnUsers?

    /// The changes that a rehearsal would have made; nil for a book that writes.
    package var rehearsal: Rehearsal?

    package init() {}

    package struct Rehearsal {
        package enum Person {
            case user(Int64)
            /// No user would have the key.
            case nobody
        }

        /// Names that no room has.
        package var absentRooms: Set<ExactString> = []
        /// People who would have another key than in the file.
        package var people: [UserIdentity: Person] = [:]
        /// Further users who would be the account's own person.
        package var own: Set<Int64> = []

        package init() {}
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
    mutating func knownRoom(_ reference: RoomReference, at time: Int64, _ db: Database) throws -> Entry {
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

    package mutating func roomEntry(_ key: String, _ db: Database) throws -> Entry? {
        if let known = rooms[ExactString(key)] { return known }
        return try findRoom(key, db).map { rememberRoom($0, key: key) }
    }

    mutating func rememberRoom(_ room: Entry, key: String) -> Entry {
        if rooms.count >= Self.capacity / 4 { rooms.removeAll(keepingCapacity: true) }
        rooms[ExactString(key)] = room.isRemembered(key) ? room : nil
        return room
    }

    func hasRoom(_ key: String, _ db: Database) throws -> Bool {
        try rooms[ExactString(key)] != nil || findRoom(key, db) != nil
    }

    /// Returns the user, and records their name from that time on. Creates the user if it is missing.
    ///
    /// - Parameter isMessage: True if the time is the id of a message that shows that name.
    package mutating func user(
        _ reference: UserReference, at time: Int64, isMessage: Bool = false, _ db: Database
    ) throws -> Int64 {
        if let entry = users[ExactString(reference.key)], entry.name.isExactly(reference.name),
            entry.isSelf == reference.isSelf, !isMessage || entry.isSettled(time)
        {
            return entry.id
        }
        var entry = try users[ExactString(reference.key)] ?? findUser(reference.key, db)
        if var found = entry {
            let before = found
            if isMessage {
                _ = try NameTable.users.settle(&found, name: reference.name, at: time, db)
            } else if !found.name.isExactly(reference.name), time >= found.firstSeen {
                try NameTable.users.rename(&found, to: reference.name, at: time, db)
            }
            if found.isSelf != reference.isSelf {
                try db.cachedStatement(sql: "UPDATE user SET self_by = ? WHERE id = ?")
                    .execute(arguments: [reference.isSelf, found.id])
                found.isSelf = reference.isSelf
            }
            if found.isSelf != before.isSelf || !found.name.isExactly(before.name) {
                try settleOwn(found, key: reference.key, db)
            }
            entry = found
        }
        let known = try entry ?? makeUser(reference, at: time, db)
        remember(known, key: reference.key)
        return known.id
    }

    mutating func remember(_ user: Entry, key: String) {
        if users.count >= Self.capacity { users.removeAll(keepingCapacity: true) }
        users[ExactString(key)] = user.isRemembered(key) ? user : nil
    }

    /// Gives the user another key. The user who had that key before keeps their history, without a key.
    ///
    /// - Parameter row: The id of the last message of kind `rename` about it in the user's rooms; nil if there is none.
    ///   The new name begins directly after it.
    mutating func rekey(
        from key: String, to reference: UserReference, at time: Int64, row: Int64? = nil, _ db: Database
    ) throws {
        if var user = try findUser(key, db), !user.name.isExactly(reference.name) {
            try NameTable.users.rename(&user, to: reference.name, behind: row, at: time, db)
            users[ExactString(key)] = nil
        }
        // The row with the key, which may be that of a merged person. Both keys of a merged person stay theirs.
        if !key.isExactly(reference.key), let user = try userRow(key, db),
            try findUser(key, db)?.id != findUser(reference.key, db)?.id
        {
            try setKey(reference.key, of: user, db)
            users[ExactString(key)] = nil
            users[ExactString(reference.key)] = nil
        }
        _ = try mentioned(reference, at: time, db)
        if let user = try findUser(reference.key, db) { try settleOwn(user, key: reference.key, db) }
    }

    private func userRow(_ key: String, _ db: Database) throws -> Int64? {
        try Int64.first(db.cachedStatement(sql: "SELECT id FROM user WHERE key = ?"), [key])
    }

    /// Gives the user the key, and takes it from the user who has it.
    func setKey(_ key: String?, of user: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE user SET key = NULL WHERE key = ?").execute(arguments: [key])
        try db.cachedStatement(sql: "UPDATE user SET key = ? WHERE id = ?").execute(arguments: [key, user])
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

    mutating func ownNames(_ db: Database) throws -> OwnNames {
        let names = try knownOwnNames ?? OwnNames(db)
        knownOwnNames = names
        return names
    }

    /// Notes that a user has another key or name, or that the network says something else of them.
    mutating func settleOwn(_ user: Entry, key: String?, _ db: Database) throws {
        try ownNames(db).settle(user.id, key: key, name: user.name, isSaid: user.isSelf, db)
        ownUsers = nil
    }

    mutating func forgotten(_ db: Database) throws -> ForgottenBook {
        let book = try forgottenBook ?? ForgottenBook(db)
        forgottenBook = book
        return book
    }

    /// Returns the room with today's name; for the key of a direct room with a forgotten person, the room that is left
    /// of it.
    func findRoom(_ key: String, _ db: Database) throws -> Entry? {
        if let room = try storedRoom(key, db) { return room }
        guard let kept = try ForgottenBook(db).key(ofDirectRoom: key, db), var room = try storedRoom(kept, db) else {
            return nil
        }
        room.isForgotten = true
        return room
    }

    /// Returns the room with today's name, which is the one that began last. Does not read the names in between, which
    /// may be many.
    private func storedRoom(_ key: String, _ db: Database) throws -> Entry? {
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
            try Entry(
                id: row.value(0), name: row.value(1), firstSeen: row.value(2), earliest: row.value(3),
                isMerged: row.value(4) as Int64 != 0)
        }
    }

    func makeRoom(_ reference: RoomReference, at time: Int64, _ db: Database) throws -> Entry {
        var reference = reference
        let kept = try ForgottenBook(db).key(ofDirectRoom: reference.key, db)
        if let kept { (reference.key, reference.name) = (kept, ForgottenBook.personName) }
        try db.cachedStatement(sql: "INSERT INTO room (key, kind) VALUES (?, ?)")
            .execute(arguments: [reference.key, reference.kind.rawValue])
        let id = db.lastInsertedRowID
        try NameTable.rooms.insert(reference.name, of: id, since: time, db)
        try Feed.name(roomID: id, db)
        return Entry(id: id, name: reference.name, firstSeen: time, earliest: time, isForgotten: kept != nil)
    }

    func findUser(_ key: String, _ db: Database) throws -> Entry? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT user.id, user_name.name, user_name.first_seen_us,
                  (SELECT min(first_seen_us) FROM user_name WHERE user_id = user.id), user.self_by > 0,
                  EXISTS (SELECT 1 FROM merge WHERE what = 0 AND into_id = user.id)
                FROM user JOIN user_name ON user_name.user_id = user.id AND user_name.first_seen_us =
                  (SELECT max(first_seen_us) FROM user_name WHERE user_id = user.id)
                WHERE user.id = \(MergeBook.user(key: "?1"))
                """)
        return try statement.first({ $0.bind(1, key) }) { row in
            try Entry(
                id: row.integer(0), name: row.text(1), firstSeen: row.integer(2), earliest: row.integer(3),
                isSelf: row.integer(4) != 0, isMerged: row.integer(5) != 0)
        }
    }

    /// - Parameter isByWord: True for the account's own person under an export's word, such as `나`.
    mutating func makeUser(
        _ reference: UserReference, isByWord: Bool = false, at time: Int64, _ db: Database
    ) throws -> Entry {
        let isSaid = reference.isSelf || isByWord
        let isSelf = try isSaid || ownNames(db).have(key: reference.key, name: reference.name)
        try db.cachedStatement(sql: "INSERT INTO user (key, is_self, self_by) VALUES (?, ?, ?)").execute {
            $0.bind(1, reference.key)
            $0.bind(2, isSelf ? 1 : 0)
            $0.bind(3, isByWord ? OwnNames.byWord : isSaid ? 1 : 0)
        }
        let id = db.lastInsertedRowID
        try NameTable.users.insert(reference.name, of: id, since: time, db)
        try Feed.name(userID: id, db)
        if isSelf { ownUsers = nil }
        return Entry(id: id, name: reference.name, firstSeen: time, earliest: time, isSelf: isSaid)
    }
}
