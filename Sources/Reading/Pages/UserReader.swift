import ChatModel
import Records
import Schema

extension User {
    /// Returns the users of an account, or the members of some of its rooms, sorted by today's name (``SortedName``). Members of one
    /// room have their membership.
    ///
    /// The reader of some rooms gets the names of those rooms (``SeenNames``), which takes a search for each.
    ///
    /// Makes one pass over `user_name` in the order of its key: one statement reads a hundred thousand users.
    ///
    /// - Parameter messages: The number of messages by the user's number; nil if they were not counted.
    static func readAll(
        _ account: AccountIdentity, rooms: [Int64]?, messages: [Int64: Int64]?, _ db: ReadTransaction
    ) throws -> [User] {
        // Not the one room that a reader may see: whoever asks for all rooms gets no stays, and learns of no hidden ones.
        let room = rooms.flatMap { $0.count == 1 ? db.visible($0)?.first : nil }
        let rooms = db.visible(rooms)
        let name = try room.flatMap { room in
            try db.text("SELECT name FROM room_name WHERE room_id = ?1 AND last_seen_us IS NULL", [.integer(room)])
        }
        var users: [User] = []
        try db.forEach(
            """
            SELECT "user".id, is_self, user_name.name, first_seen_us, last_seen_us, joined_at_us, left_at_us
            FROM "user" JOIN user_name ON user_name.user_id = "user".id
              LEFT JOIN membership ON membership.room_id = ?1 AND membership.user_id = "user".id
            WHERE ?2 IS NULL
              OR "user".id IN (SELECT user_id FROM membership WHERE room_id \(.among(2)))
            ORDER BY "user".id, first_seen_us
            """, [.integer(room), .list(rooms)]
        ) { try users.add($0, account: account.name, room: name) }
        try users.readBridges(db)
        try users.readPictures(db)
        if let seen = try SeenNames(db) {
            try users.keepNames(seen, rooms: rooms ?? [], since: Timestamp(microseconds: createdAt(db)), db)
        }
        if let messages {
            for index in users.indices { users[index].messages = messages[users[index].id] ?? 0 }
        }
        return users.sorted(byName: \.name) { $0.id < $1.id }
    }

    private static func createdAt(_ db: ReadTransaction) throws -> Int64 {
        try db.integer("SELECT created_at_us FROM account") ?? 0
    }
}

extension User {
    /// Returns the users with these numbers, with all their names, sorted by number. One without a name is left out.
    static func readAll(_ account: AccountIdentity, ids: [Int64], _ db: ReadTransaction) throws -> [User] {
        var users: [User] = []
        try db.forEach(
            """
            SELECT "user".id, is_self, user_name.name, first_seen_us, last_seen_us
            FROM \(.each(1, as: "wanted")) \(.crossJoin) "user" ON "user".id = wanted.value
              \(.crossJoin) user_name ON user_name.user_id = "user".id
            ORDER BY wanted.key, first_seen_us
            """, [.list(ids)]
        ) { try users.add($0, account: account.name, room: nil) }
        try users.readBridges(db)
        try users.readPictures(db)
        return users
    }
}

extension User {
    /// Returns the number of messages by the sender's number, of some rooms or of all. Joins, leaves, renames and modes
    /// don't count.
    static func messageCounts(rooms: [Int64]?, _ db: ReadTransaction) throws -> [Int64: Int64] {
        var counts: [Int64: Int64] = [:]
        let wanted: SQLText = rooms == nil ? "" : "WHERE room_id \(.among(1))"
        try db.forEach(
            """
            SELECT sender_id, CAST(sum(messages) AS BIGINT) FROM sender_count
            \(wanted) GROUP BY sender_id
            """, rooms.map { [.list($0)] } ?? []
        ) { row in counts[try row.integer(0)] = try row.integer(1) }
        return counts
    }
}

extension [User] {
    /// Reads today's pictures of all users, with one statement. The reader of some rooms gets those that the rooms have
    /// seen, with one for each user.
    fileprivate mutating func readPictures(_ db: ReadTransaction) throws {
        guard try db.holds("SELECT EXISTS (SELECT 1 FROM user_picture)") else { return }
        if let seen = try SeenNames(db) {
            let reader = PictureReader(.userPictures, db)
            for index in indices { self[index].picture = try reader.picture(ofUser: self[index].id, seen) }
            return
        }
        var pictures: [Int64: Picture] = [:]
        try db.forEach(
            """
            SELECT \(PictureReader.columns), p.user_id FROM user_picture AS p \(PictureReader.joins)
            WHERE p.last_seen_us IS NULL
            """
        ) { row in pictures[try row.integer(5)] = try PictureReader.picture(row) }
        for index in indices { self[index].picture = pictures[self[index].id] }
    }

    fileprivate mutating func readBridges(_ db: ReadTransaction) throws {
        let bridges = try MessageExtras.bridges(of: Set(map(\.id)), db)
        for index in indices where !bridges.isEmpty { self[index].via = bridges[self[index].id]?.bot }
    }

    /// Leaves each user the names that the reader of some rooms knows.
    ///
    /// - Parameter since: When a member whose times are unknown is said to have been seen.
    fileprivate mutating func keepNames(
        _ seen: SeenNames, rooms: [Int64], since: Timestamp, _ db: ReadTransaction
    ) throws {
        var stays: [Int64: SeenNames.Stay] = [:]
        try db.forEach(
            """
            SELECT user_id, joined_at_us, left_at_us FROM membership
            WHERE room_id \(.among(1)) ORDER BY room_id DESC
            """, [.list(rooms)]
        ) { row in
            stays[try row.integer(0)] = try SeenNames.Stay(
                joined: row.optionalInteger(1), left: row.optionalInteger(2))
        }
        for index in indices {
            let id = self[index].id
            self[index].names = try seen.names(of: id)
            guard self[index].names.isEmpty, let stay = stays[id] else { continue }
            self[index].names = try seen.name(ofSilent: id, stay, since: since).map { [$0] } ?? []
        }
    }

    /// Adds a row, which is one name. The rows of a user follow each other.
    fileprivate mutating func add(_ row: Columns, account: String, room: String?) throws {
        let id = try row.integer(0)
        if last?.id != id {
            let membership = try room.map { room in
                try User.Membership(room: room, joinedAt: row.optionalTime(5), leftAt: row.optionalTime(6))
            }
            append(
                User(account: account, id: id, names: [], isSelf: try row.bool(1), membership: membership))
        }
        let name = try User.Name(name: row.text(2), firstSeen: row.time(3), lastSeen: row.optionalTime(4))
        self[count - 1].names.append(name)
    }
}
