import ChatModel
import GRDB

/// Rooms and users as logs name them: by name alone, and of a time that may be long past.
///
/// Whose account it is stays as it is. A name that a log has is the name of today only where the log is the latest that
/// is known; before the first sighting it is an earlier name; in between, what was heard then counts.
extension NameBook {
    /// The room that has the name today, else the one that imports gave it; nil when there is none.
    mutating func findRoom(named name: String, _ db: Database) throws -> Int64? {
        let folded = try folding(db).fold(name)
        if let known = roomsByName[ExactString(folded)] { return known }
        let rooms = try Row.fetchAll(
            db, sql: "SELECT room_id, name FROM room_name WHERE last_seen_us IS NULL ORDER BY room_id")
        let folding = try folding(db)
        let found: Int64? = rooms.first { folding.fold($0[1]).isExactly(folded) }.map { $0[0] }
        let room = try found ?? Int64.fetchOne(db, sql: "SELECT id FROM room WHERE key = ?", arguments: [folded])
        if roomsByName.count >= Self.capacity { roomsByName.removeAll(keepingCapacity: true) }
        roomsByName[ExactString(folded)] = room
        return room
    }

    mutating func room(named name: String, at time: Int64, _ db: Database) throws -> Int64 {
        if let known = try findRoom(named: name, db) { return known }
        let folded = try folding(db).fold(name)
        let id = try makeRoom(RoomReference(key: folded, name: name, kind: .channel), at: time, db).id
        roomsByName[ExactString(folded)] = id
        return id
    }

    /// Nil when nobody has the name.
    mutating func findUser(named name: String, _ db: Database) throws -> Int64? {
        try entry(of: name, db)?.id
    }

    /// - Parameter isLate: Something later is stored already.
    mutating func user(named name: String, at time: Int64, isLate: Bool, _ db: Database) throws -> Int64 {
        let key = try folding(db).fold(name)
        guard var entry = try entry(of: name, db) else {
            let made = try makeUser(UserReference(key: key, name: name), at: time, db)
            remember(made, key: key)
            return made.id
        }
        if time < entry.earliest {
            try sawEarlier(&entry, name: name, at: time, db)
            remember(entry, key: key)
        } else if !isLate, !entry.name.isExactly(name), time >= entry.firstSeen {
            try rename(&entry, to: name, at: time, table: "user_name", column: "user_id", db)
            try Feed.name(userID: entry.id, db)
            remember(entry, key: key)
        }
        return entry.id
    }

    private mutating func folding(_ db: Database) throws -> NameFolding {
        if let folding { return folding }
        let network = try String.fetchOne(db, sql: "SELECT network FROM account") ?? ""
        let folding = NameFolding(network: network)
        self.folding = folding
        return folding
    }

    private mutating func entry(of name: String, _ db: Database) throws -> Entry? {
        let key = try folding(db).fold(name)
        if let known = users[ExactString(key)] { return known }
        let found = try findUser(key, db)
        if let found { remember(found, key: key) }
        return found
    }

    private mutating func remember(_ entry: Entry, key: String) {
        if users.count >= Self.capacity { users.removeAll(keepingCapacity: true) }
        users[ExactString(key)] = entry
    }

    /// The earliest name began earlier than was known, or another came before it.
    private func sawEarlier(_ entry: inout Entry, name: String, at time: Int64, _ db: Database) throws {
        let earliest = try String.fetchOne(
            db.cachedStatement(sql: "SELECT name FROM user_name WHERE user_id = ? AND first_seen_us = ?"),
            arguments: [entry.id, entry.earliest])
        if earliest?.isExactly(name) ?? false {
            try db.cachedStatement(
                sql: "UPDATE user_name SET first_seen_us = ? WHERE user_id = ? AND first_seen_us = ?"
            )
            .execute(arguments: [time, entry.id, entry.earliest])
            if entry.firstSeen == entry.earliest { entry.firstSeen = time }
        } else {
            try db.cachedStatement(
                sql: "INSERT INTO user_name (user_id, first_seen_us, last_seen_us, name) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [entry.id, time, entry.earliest, name])
        }
        entry.earliest = time
    }
}
