import GRDB

/// Where a name begins and ends: with the messages that were told under it.
extension NameBook {
    /// What has names over time, in a table of its own.
    struct Owner {
        let table: String
        let column: String
        /// Reads the latest message of ?1 in ?2 <= id < ?3; nil where messages are of no such thing.
        let latestMessage: String?

        static let users = Owner(
            table: "user_name", column: "user_id",
            latestMessage: """
                SELECT id FROM message NOT INDEXED WHERE sender_id = ?1 AND id >= ?2 AND id < ?3 ORDER BY id DESC LIMIT 1
                """)
        static let rooms = Owner(
            table: "room_name", column: "room_id",
            latestMessage: """
                SELECT max(id) FROM (
                  SELECT max(id) AS id FROM message INDEXED BY message_room
                  WHERE room_id = ?1 AND noise = 0 AND id >= ?2 AND id < ?3
                  UNION ALL SELECT max(id) FROM message INDEXED BY message_room
                  WHERE room_id = ?1 AND noise = 1 AND id >= ?2 AND id < ?3)
                """)
        static let workspaces = Owner(table: "workspace_name", column: "workspace_id", latestMessage: nil)

        /// The latest message from one id on and before another.
        func latestMessage(of id: Int64, from start: Int64, before end: Int64, _ db: Database) throws -> Int64? {
            guard let latestMessage else { return nil }
            return try Int64.first(db.cachedStatement(sql: latestMessage), [id, start, end])
        }

        /// Stores a name from one time until another, or until today.
        func insert(_ name: String, of id: Int64, since: Int64, until: Int64? = nil, _ db: Database) throws {
            try db.cachedStatement(
                sql: "INSERT INTO \(table) (\(column), first_seen_us, last_seen_us, name) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [id, since, until, name])
        }

        func setBeginning(of id: Int64, from old: Int64, to new: Int64, _ db: Database) throws {
            try db.cachedStatement(
                sql: "UPDATE \(table) SET first_seen_us = ? WHERE \(column) = ? AND first_seen_us = ?"
            ).execute(arguments: [new, id, old])
        }

        func setEnd(of id: Int64, begunAt since: Int64, to end: Int64, _ db: Database) throws {
            try db.cachedStatement(
                sql: "UPDATE \(table) SET last_seen_us = ? WHERE \(column) = ? AND first_seen_us = ?"
            ).execute(arguments: [end, id, since])
        }

        func noteChange(of id: Int64, _ db: Database) throws {
            switch column {
            case "user_id": try Feed.name(userID: id, db)
            case "room_id": try Feed.name(roomID: id, db)
            default: break
            }
        }
    }

    /// Begins another name at that time, or behind what is stored from then on, which was told under the name before.
    ///
    /// Two renames in one microsecond follow each other by one.
    func rename(_ entry: inout Entry, to name: String, at time: Int64, _ owner: Owner, _ db: Database) throws {
        let latest = try owner.latestMessage(of: entry.id, from: time, before: .max, db)
        try rename(&entry, to: name, behind: max(latest ?? time &- 1, time &- 1), owner, db)
    }

    /// Begins another name that the network itself tells of, right behind its row; where it has none, at that time.
    ///
    /// The row can be older than the name before: a list told that, by our clock, which may be ahead of the network's. The name
    /// was there by then, so it begins with the row.
    func rename(
        _ entry: inout Entry, to name: String, behind row: Int64?, at time: Int64, _ owner: Owner, _ db: Database
    ) throws {
        guard let row else {
            return try rename(&entry, to: name, at: max(time, entry.firstSeen), owner, db)
        }
        if row < entry.firstSeen, entry.firstSeen == entry.earliest {
            try owner.setBeginning(of: entry.id, from: entry.firstSeen, to: row, db)
            (entry.firstSeen, entry.earliest) = (row, row)
        }
        try rename(&entry, to: name, behind: row, owner, db)
    }

    /// Begins another name right behind a message's id.
    func rename(_ entry: inout Entry, to name: String, behind id: Int64, _ owner: Owner, _ db: Database) throws {
        let since = max(id &+ 1, entry.firstSeen &+ 1)
        try owner.setEnd(of: entry.id, begunAt: entry.firstSeen, to: since, db)
        try owner.insert(name, of: entry.id, since: since, db)
        entry.name = name
        entry.firstSeen = since
        entry.lastUnderEarlierName = .min
        try owner.noteChange(of: entry.id, db)
    }

    /// Has the names agree with a message that is told under one, as far as those told before leave room for it.
    ///
    /// What is told late under today's name, as a backfill is, moves the beginning of that name back to its id, where no message
    /// in between was told under the name before.
    ///
    /// - Parameter id: The message's, whose row is still to be inserted.
    /// - Returns: whether the entry is another now.
    func settle(_ entry: inout Entry, name: String, at id: Int64, _ owner: Owner, _ db: Database) throws -> Bool {
        guard entry.name.isExactly(name) else {
            guard id >= entry.firstSeen else { return false }
            try rename(&entry, to: name, at: id, owner, db)
            return true
        }
        guard !entry.isSettled(id) else { return false }
        let before = try Int64.first(
            db.cachedStatement(
                sql: "SELECT max(first_seen_us) FROM \(owner.table) WHERE \(owner.column) = ? AND first_seen_us < ?"),
            [entry.id, entry.firstSeen])
        // The name before began later: no message until then moves anything.
        guard let before, before < id else {
            entry.lastUnderEarlierName = max(entry.lastUnderEarlierName, before ?? id)
            return true
        }
        if let latest = try owner.latestMessage(of: entry.id, from: id, before: entry.firstSeen, db) {
            entry.lastUnderEarlierName = latest
            return true
        }
        try owner.setEnd(of: entry.id, begunAt: before, to: id, db)
        try owner.setBeginning(of: entry.id, from: entry.firstSeen, to: id, db)
        entry.firstSeen = id
        try owner.noteChange(of: entry.id, db)
        return true
    }
}
