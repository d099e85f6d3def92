import Bytes
package import ChatModel
package import SQLite
package import Schema

/// The holds of an account.
package struct HoldBook {
    private let holds: [Hold]

    package init(_ db: ReadTransaction) throws { holds = try Hold.readAll(db) }

    /// Returns the spans of a room that no hold keeps, in order of time: each from its start to before its end.
    ///
    /// - Parameter end: The end of the last span.
    package func free(room: Int64, before end: Int64) -> [Range<Int64>] {
        let held = holds.filter { $0.room == nil || $0.room == room }
            .map { (start: $0.start?.microseconds ?? .min, end: $0.end?.microseconds ?? .max) }
            .sorted { $0.start < $1.start }
        var spans: [Range<Int64>] = []
        var start = Int64.min
        for hold in held where hold.end > start {
            if hold.start > start, start < end { spans.append(start..<min(hold.start, end)) }
            start = hold.end
        }
        if start < end { spans.append(start..<end) }
        return spans
    }

    /// Returns true if a hold keeps a message.
    package func keeps(_ message: Int64, room: Int64) -> Bool { holds.contains { $0.keeps(message, room: room) } }

    /// Returns the holds that keep a message.
    package func holds(keeping message: Int64, room: Int64) -> [Hold] { holds.filter { $0.keeps(message, room: room) } }

    /// Returns the start of the first hold of any room before the instant; else the instant.
    func firstHeld(before end: Int64) -> Int64 {
        holds.reduce(end) { min($0, $1.start?.microseconds ?? .min) }
    }
}

extension Hold {
    fileprivate func keeps(_ message: Int64, room: Int64) -> Bool {
        (self.room == nil || self.room == room) && message >= start?.microseconds ?? .min
            && message < end?.microseconds ?? .max
    }

    /// Returns the number of messages, and of joins, leaves, renames and modes, that the hold keeps.
    package func counts(_ db: ReadTransaction) throws -> (messages: Int64, events: Int64) {
        let rooms = try room.map { [$0] } ?? PurgeTargets.Room.readAll(db).map(\.id)
        func count(isNoise: Bool) throws -> Int64 {
            try rooms.reduce(0) { sum, room in
                let found = try db.integer(
                    """
                    SELECT count(*) FROM message INDEXED BY message_room
                    WHERE room_id = ?1 AND noise = ?2 AND id >= ?3 AND id < ?4
                    """,
                    [
                        .integer(room), .bool(isNoise), .integer(start?.microseconds ?? .min),
                        .integer(end?.microseconds ?? .max),
                    ])
                return sum + (found ?? 0)
            }
        }
        return try (count(isNoise: false), count(isNoise: true))
    }

    /// Returns the holds of an account, sorted by name.
    package static func readAll(_ db: ReadTransaction) throws -> [Hold] {
        try db.all("SELECT name, room_id, from_us, to_us, reason, set_at_us FROM hold ORDER BY name") { row in
            try Hold(
                name: row.text(0), room: row.optionalInteger(1), start: row.optionalTime(2), end: row.optionalTime(3),
                reason: row.optionalText(4), setAt: row.time(5))
        }
    }

    /// Sets the hold. Replaces one of the same name.
    package func set(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO hold (name, room_id, from_us, to_us, reason, set_at_us) VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                name.withoutNUL, room, start?.microseconds, end?.microseconds, reason?.withoutNUL, setAt.microseconds,
            ])
    }

    /// Removes a hold by its name.
    ///
    /// - Returns: False if there is none.
    package static func remove(_ name: String, _ db: Database) throws -> Bool {
        try db.execute(sql: "DELETE FROM hold WHERE name = ?", arguments: [name.withoutNUL])
        return db.changesCount > 0
    }
}
