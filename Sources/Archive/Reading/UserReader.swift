import ChatModel

extension User {
    /// Returns the users of an account, or the members of some of its rooms, sorted by today's name. Members of one
    /// room have their membership.
    ///
    /// Makes one pass over `user_name` in the order of its key: one statement reads a hundred thousand users.
    ///
    /// - Parameter messages: The number of messages by the user's number; nil if they were not counted.
    static func readAll(
        _ account: AccountIdentity, rooms: [Int64]?, messages: [Int64: Int64]?, _ db: ReadTransaction
    ) throws -> [User] {
        let room = rooms.flatMap { $0.count == 1 ? $0[0] : nil }
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
              OR "user".id IN (SELECT user_id FROM membership WHERE room_id IN (SELECT value FROM json_each(?2)))
            ORDER BY "user".id, first_seen_us
            """, [.integer(room), .list(rooms)]
        ) { try users.add($0, account: account.name, room: name) }
        if let messages {
            for index in users.indices { users[index].messages = messages[users[index].id] ?? 0 }
        }
        return users.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }
}

extension User {
    /// Returns the users with these numbers, with all their names, sorted by number. One without a name is left out.
    static func readAll(_ account: AccountIdentity, ids: [Int64], _ db: ReadTransaction) throws -> [User] {
        var users: [User] = []
        try db.forEach(
            """
            SELECT "user".id, is_self, user_name.name, first_seen_us, last_seen_us
            FROM json_each(?1) AS wanted CROSS JOIN "user" ON "user".id = wanted.value
              CROSS JOIN user_name ON user_name.user_id = "user".id
            ORDER BY wanted.key, first_seen_us
            """, [.list(ids)]
        ) { try users.add($0, account: account.name, room: nil) }
        return users
    }
}

extension User {
    /// Returns the number of messages by the sender's number, of some rooms or of all. Joins, leaves, renames and modes
    /// don't count.
    static func messageCounts(rooms: [Int64]?, _ db: ReadTransaction) throws -> [Int64: Int64] {
        var counts: [Int64: Int64] = [:]
        try db.forEach(
            """
            SELECT sender_id, CAST(sum(messages) AS BIGINT) FROM sender_count
            \(rooms == nil ? "" : "WHERE room_id IN (SELECT value FROM json_each(?1))") GROUP BY sender_id
            """, rooms.map { [.list($0)] } ?? []
        ) { row in counts[try row.integer(0)] = try row.integer(1) }
        return counts
    }
}

extension [User] {
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
