import Bytes
import Records
import SQLite
import Schema

/// A table of the names that rooms, users or workspaces have over time. A name begins and ends with the messages that
/// show it.
package enum NameTable: String {
    case users = "user"
    case rooms = "room"
    case workspaces = "workspace"

    package var table: String { rawValue + "_name" }
    package var column: String { rawValue + "_id" }

    /// SQL that reads the latest message of the user or room ?1 with ?2 <= id < ?3; nil for workspaces, which have no
    /// messages.
    private var latestMessage: String? {
        switch self {
        case .users:
            """
            SELECT id FROM message NOT INDEXED WHERE sender_id = ?1 AND id >= ?2 AND id < ?3 ORDER BY id DESC LIMIT 1
            """
        case .rooms:
            """
            SELECT max(id) FROM (
              SELECT max(id) AS id FROM message INDEXED BY message_room
              WHERE room_id = ?1 AND noise = 0 AND id >= ?2 AND id < ?3
              UNION ALL SELECT max(id) FROM message INDEXED BY message_room
              WHERE room_id = ?1 AND noise = 1 AND id >= ?2 AND id < ?3)
            """
        case .workspaces: nil
        }
    }

    private func noteChange(of id: Int64, _ db: Database) throws {
        switch self {
        case .users: try Feed.name(userID: id, db)
        case .rooms: try Feed.name(roomID: id, db)
        case .workspaces: try Feed.names(ofRoomsIn: id, db)
        }
    }

    /// Returns the id of the latest message with `start` <= id < `end`.
    private func latestMessage(of id: Int64, from start: Int64, before end: Int64, _ db: Database) throws -> Int64? {
        try latestMessage.flatMap { try Int64.first(db.cachedStatement(sql: $0), [id, start, end]) }
    }

    /// Stores a name from one time until another; nil for a name that is still in use.
    func insert(_ name: String, of id: Int64, since: Int64, until: Int64? = nil, _ db: Database) throws {
        let sql = "INSERT INTO \(table) (\(column), first_seen_us, last_seen_us, name) VALUES (?, ?, ?, ?)"
        try db.cachedStatement(sql: sql).execute {
            $0.bind(1, id)
            $0.bind(2, since)
            $0.bind(3, until)
            $0.bind(4, name)
        }
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

    /// Begins another name at that time. Stored messages from that time on keep the previous name, so the new name
    /// begins after them.
    ///
    /// If two renames have the same microsecond, the second begins 1 µs later.
    func rename(_ entry: inout NameEntry, to name: String, at time: Int64, _ db: Database) throws {
        let latest = try latestMessage(of: entry.id, from: time, before: .max, db)
        try rename(&entry, to: name, behind: max(latest ?? time &- 1, time &- 1), db)
    }

    /// Begins another name that the network reported: directly after the message about the rename or, without such a
    /// message, at `time`.
    ///
    /// The message can be earlier than the beginning of the previous name, if that name came from a list at a time of
    /// our clock, which may be ahead of the network's. The beginning of the previous name then moves back to the
    /// message.
    func rename(
        _ entry: inout NameEntry, to name: String, behind row: Int64?, at time: Int64, _ db: Database
    ) throws {
        guard let row else {
            return try rename(&entry, to: name, at: max(time, entry.firstSeen), db)
        }
        if row < entry.firstSeen, entry.firstSeen == entry.earliest {
            try setBeginning(of: entry.id, from: entry.firstSeen, to: row, db)
            (entry.firstSeen, entry.earliest) = (row, row)
        }
        try rename(&entry, to: name, behind: row, db)
    }

    /// Begins another name directly after a message's id.
    func rename(_ entry: inout NameEntry, to name: String, behind id: Int64, _ db: Database) throws {
        let since = max(id &+ 1, entry.firstSeen &+ 1)
        try setEnd(of: entry.id, begunAt: entry.firstSeen, to: since, db)
        try insert(name, of: entry.id, since: since, db)
        entry.name = name
        entry.firstSeen = since
        entry.lastUnderEarlierName = .min
        try noteChange(of: entry.id, db)
    }

    /// Records the name that a late message of history shows, for itself and the time up to the next stored message.
    ///
    /// - Parameter id: The id of the message, whose row is not inserted yet. The time of a message without an id changes
    ///   nothing if a stored message has it, which shows the user's name of that time.
    func notePast(_ entry: inout NameEntry, name: String, at id: Int64, _ db: Database) throws {
        let covering: (Int64, Int64?, String)? = try db.cachedStatement(
            sql: """
                SELECT first_seen_us, last_seen_us, name FROM \(table) WHERE \(column) = ? AND first_seen_us <= ?
                ORDER BY first_seen_us DESC LIMIT 1
                """
        ).first(arguments: [entry.id, id]) { try ($0.value(0), $0.value(1), $0.value(2)) }
        guard let covering else {
            try insertEarlier(name, of: &entry, at: id, db)
            return try noteChange(of: entry.id, db)
        }
        let (since, until, other) = covering
        guard !other.isExactly(name), since < id else { return }
        let next = try nextMessage(of: entry.id, from: id, before: until ?? .max, db)
        guard next != id else { return }
        try setEnd(of: entry.id, begunAt: since, to: id, db)
        try insert(name, of: entry.id, since: id, until: next ?? until, db)
        if let next { try insert(other, of: entry.id, since: next, until: until, db) }
        if until == nil { (entry.name, entry.firstSeen) = next.map { (other, $0) } ?? (name, id) }
        try noteChange(of: entry.id, db)
    }

    /// The limit of messages that are examined for a user's next one, which no index finds.
    private static let lookahead = 10_000

    /// Returns the id of a user's earliest message with `start` <= id < `end`, or of the last one that was examined; nil
    /// without one.
    private func nextMessage(of user: Int64, from start: Int64, before end: Int64, _ db: Database) throws -> Int64? {
        let sql = """
            SELECT coalesce(min(CASE WHEN sender_id = ?1 THEN id END),
              CASE WHEN count(*) = \(Self.lookahead) THEN max(id) END)
            FROM (SELECT id, sender_id FROM message NOT INDEXED WHERE id >= ?2 AND id < ?3 ORDER BY id
              LIMIT \(Self.lookahead))
            """
        return try Int64.first(db.cachedStatement(sql: sql), [user, start, end])
    }

    /// Adjusts the names to a message that shows one of them, as far as the stored messages allow.
    ///
    /// A late message from history under today's name moves the beginning of that name back to the message's id, unless
    /// a message in between shows the previous name.
    ///
    /// - Parameter id: The id of the message, whose row is not inserted yet.
    /// - Returns: True if the entry changed.
    func settle(_ entry: inout NameEntry, name: String, at id: Int64, _ db: Database) throws -> Bool {
        guard entry.name.isExactly(name) else {
            guard id >= entry.firstSeen else { return false }
            try rename(&entry, to: name, at: id, db)
            return true
        }
        guard !entry.isSettled(id) else { return false }
        let before = try Int64.first(
            db.cachedStatement(
                sql: "SELECT max(first_seen_us) FROM \(table) WHERE \(column) = ? AND first_seen_us < ?"),
            [entry.id, entry.firstSeen])
        // The previous name began after this message, so no message up to that time changes anything.
        guard let before, before < id else {
            entry.lastUnderEarlierName = max(entry.lastUnderEarlierName, before ?? id)
            return true
        }
        if let latest = try latestMessage(of: entry.id, from: id, before: entry.firstSeen, db) {
            entry.lastUnderEarlierName = latest
            return true
        }
        try setEnd(of: entry.id, begunAt: before, to: id, db)
        try setBeginning(of: entry.id, from: entry.firstSeen, to: id, db)
        entry.firstSeen = id
        try noteChange(of: entry.id, db)
        return true
    }
}
