package import ChatModel
package import Schema

/// The spans of each room that the rules of an account remove now.
package struct PurgeTargets {
    let rules: RetentionRules
    let now: Timestamp
    private let holds: HoldBook

    package init(_ rules: RetentionRules, at now: Timestamp, _ db: ReadTransaction) throws {
        (self.rules, self.now, holds) = (rules, now, try HoldBook(db))
    }

    /// A room with its name today.
    package struct Room {
        package var id: Int64
        package var name: String

        package init(id: Int64, name: String) {
            (self.id, self.name) = (id, name)
        }

        /// Returns the room with the lowest number from a number on; nil at the end.
        package static func next(from first: Int64, _ db: ReadTransaction) throws -> Room? {
            try db.first(
                """
                SELECT room_id, name FROM room_name WHERE last_seen_us IS NULL AND room_id >= ?1
                ORDER BY room_id LIMIT 1
                """, [.integer(first)]
            ) { row in try Room(id: row.integer(0), name: row.text(1)) }
        }

        package static func readAll(_ db: ReadTransaction) throws -> [Room] {
            try db.all("SELECT room_id, name FROM room_name WHERE last_seen_us IS NULL ORDER BY room_id") { row in
                try Room(id: row.integer(0), name: row.text(1))
            }
        }
    }

    /// The part of a room that a rule removes.
    package struct Target {
        package var rule: RetentionRule
        /// The spans in which everything is too old, in order of time.
        package var spans: [Range<Int64>]
    }

    /// Returns what a rule removes from a room; nil if no rule is for that part.
    package func target(_ part: RetentionPart, in room: Room, _ db: ReadTransaction) throws -> Target? {
        guard let rule = rules.rule(for: part, room: room.name) else { return nil }
        var end = rule.end(at: now).microseconds
        if part == .messages, let floor = try floor(of: room, db) { end = min(end, floor) }
        return Target(rule: rule, spans: holds.free(room: room.id, before: end))
    }

    /// Returns the id of the oldest message that `min_messages` keeps, or the beginning of time if the room has fewer
    /// messages; nil if it keeps none.
    private func floor(of room: Room, _ db: ReadTransaction) throws -> Int64? {
        let count = rules.minMessages(room: room.name)
        guard count > 0 else { return nil }
        return try db.integer(
            """
            SELECT id FROM message INDEXED BY message_room WHERE room_id = ?1 AND noise = 0
            ORDER BY id DESC LIMIT 1 OFFSET ?2
            """, [.integer(room.id), .integer(Int64(count - 1))]) ?? .min
    }

    /// Returns the instant before which raw bytes of single messages are removed; nil if no rule removes any. A hold of
    /// any room keeps those after its start.
    package func rawEnd() -> (rule: RetentionRule, end: Timestamp)? {
        rules.rawRule.map { rule in
            (rule, Timestamp(microseconds: holds.firstHeld(before: rule.end(at: now).microseconds)))
        }
    }

    /// Returns the instant before which the journal is removed; nil if no rule removes any. The journal goes with the
    /// messages in it, too.
    package func journalEnd(_ db: ReadTransaction) throws -> (rule: RetentionRule, end: Timestamp)? {
        // Networks with a journal have one room.
        guard try db.holds("SELECT EXISTS (SELECT 1 FROM chunk)"), let room = try Room.next(from: .min, db),
            let messages = try target(.messages, in: room, db), let end = messages.spans.first?.upperBound
        else { return rawEnd() }
        let ofMessages = (rule: messages.rule, end: Timestamp(microseconds: end))
        guard let raw = rawEnd(), raw.end >= ofMessages.end else { return ofMessages }
        return raw
    }

    /// The instant before which some rule removes files; nil if none does.
    package var filesEnd: Timestamp? {
        rules.tables.compactMap { $0.ages[.files]?.duration }.min().map { now.advanced(by: .zero - $0) }
    }
}
