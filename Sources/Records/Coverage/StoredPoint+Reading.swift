package import ChatModel
package import Schema

extension StoredPoint {
    /// The longest time by which a message's network time may be later than the end of its span, in microseconds:
    /// network times have milliseconds, and the delay of lines varies by tenths of seconds.
    private static let lead: Int64 = 10_000_000

    /// Returns the latest messages of a room through the end of a span: `lookback` of its noise, and as many others. A
    /// message that the span's own session received belongs to the span, regardless of its time.
    fileprivate static func latest(
        room: Int64, from first: Int64, through end: Int64, _ db: ReadTransaction
    ) throws -> [StoredPoint] {
        let runs = [0, 1].map { noise in
            """
            SELECT id FROM (SELECT id FROM message INDEXED BY message_room
              WHERE room_id = ?1 AND noise = \(noise) AND id BETWEEN ?2 AND ?3 ORDER BY id DESC LIMIT \(lookback)) AS run
            """
        }
        let next = try db.integer(
            "SELECT min(from_us) FROM coverage WHERE room_id = ?1 AND from_us > ?2", [.integer(room), .integer(end)])
        let through = min(end + lead, next.map { $0 - 1 } ?? .max)
        return try db.all(
            """
            SELECT \(columns)
            FROM (\(runs.joined(separator: " UNION ALL "))) AS run CROSS JOIN message AS m ON m.id = run.id
            WHERE m.flags & \(MessageFlags.standing.rawValue) = 0 AND (m.id <= ?4 OR m.session_id IN
              (SELECT session_id FROM coverage WHERE room_id = ?1 AND from_us <= ?4 ORDER BY from_us DESC LIMIT 1))
            ORDER BY m.id DESC
            """, [.integer(room), .integer(first), .integer(through), .integer(end)]
        ) { try StoredPoint($0) }
    }

    /// Returns the newest messages of a room, newest first, without its noise.
    package static func newest(room key: String, limit: Int, _ db: ReadTransaction) throws -> [StoredPoint] {
        try db.all(
            """
            SELECT \(columns)
            FROM (SELECT id FROM message INDEXED BY message_room
              WHERE room_id = \(MergeBook.room(key: "?1")) AND noise = 0 ORDER BY id DESC LIMIT ?2) AS run
              CROSS JOIN message AS m ON m.id = run.id
            ORDER BY m.id DESC
            """, [.text(key), .integer(Int64(limit))]
        ) { try StoredPoint($0) }
    }

    /// The columns of a point, of the message `m`.
    private static let columns = """
        m.id, m.kind, m.remote_id, m.source_time_us,
        m.received_at_us IS NOT NULL AND m.flags & \(MessageFlags.clockAhead.rawValue) = 0, m.body,
        coalesce(
          (SELECT name FROM user_name WHERE user_id = m.sender_id
            AND first_seen_us <= m.id AND coalesce(last_seen_us, m.id + 1) > m.id),
          (SELECT name FROM user_name WHERE user_id = m.sender_id ORDER BY first_seen_us LIMIT 1)),
        m.deleted_at_us IS NOT NULL
        """

    private init(_ row: Columns) throws {
        let (id, isToldLater) = try (row.messageID(0), row.bool(4))
        let time = try row.claim(3) ?? (isToldLater ? id.time : nil)
        try self.init(
            id: id, kind: MessageKind(code: row.integer(1)), remoteID: row.optionalText(2), sourceTime: time,
            sender: row.optionalText(6), body: row.optionalText(5), isDeleted: row.bool(7))
    }
}

extension StoredPoint {
    fileprivate static func anchors(of points: [StoredPoint]) -> [StoredPoint] {
        let texts = points.filter { !$0.kind.isNoise && !$0.isDeleted }
        let others = points.filter { $0.remoteID != nil || !$0.kind.isNoise }
        let choices = [texts.filter { $0.remoteID != nil }, texts, others]
        return Array((choices.first { !$0.isEmpty } ?? []).prefix(maximumAnchors))
    }
}

extension HistoryStart {
    package static func find(
        room key: String, retriesLost: Bool, _ db: ReadTransaction
    ) throws -> HistoryStart? {
        let span = try db.first(
            """
            SELECT room_id, min(from_us), (SELECT asked_back_to_us FROM room WHERE id = coverage.room_id) FROM coverage
            WHERE room_id = \(MergeBook.room(key: "?1")) GROUP BY room_id
            """, [.text(key)]
        ) { row in try (room: row.integer(0), first: row.time(1), fetchedBackTo: row.optionalTime(2)) }
        guard let span, let gap = try CoverageLedger.firstGap(key: key, retriesLost: retriesLost, db) else {
            return nil
        }
        let end = gap.from
        // A fetched history's first millisecond lies before its span.
        let points = try StoredPoint.latest(
            room: span.room, from: span.first.microseconds - 1000, through: end.microseconds, db)
        var start = HistoryStart(
            completeUntil: end, anchors: StoredPoint.anchors(of: points), latest: points.first,
            archivedSince: span.first, fetchedBackTo: span.fetchedBackTo)
        // Without a gap after the first span, history is missing before it.
        start.place = try HistoryPlace.latest(
            room: span.room, after: gap.to == nil ? .min : end.microseconds,
            through: (gap.to ?? span.first).microseconds, db)
        start.lastLimit =
            try db.first(
                "SELECT max(from_us) FROM gap_note WHERE room_id = ?1 AND unfilled = ?2 AND from_us < ?3",
                [.integer(span.room), .text(UnfilledReason.limit.rawValue), .integer(end.microseconds)]
            ) { try $0.optionalTime(0) } ?? nil
        return start
    }
}

extension RoomReference {
    /// The limit of rooms, the oldest ones, that a listener reads from the store when it connects. A network with
    /// endless rooms can't fill the memory.
    package static let maximumKnown = 10_000
    /// The longest key of such a room, in characters: a name has 512 bytes at most (RFC 2812 §2.3).
    package static let maximumKeyLength = 512

    package static func expected(kind: Kind, _ db: ReadTransaction) throws -> [RoomReference] {
        try db.all(
            """
            SELECT key, name FROM room JOIN room_name ON room_id = room.id AND last_seen_us IS NULL
            WHERE kind = ?1 AND left_at_us IS NULL AND gone_at_us IS NULL
              AND (EXISTS (SELECT 1 FROM coverage WHERE room_id = room.id)
                OR EXISTS (SELECT 1 FROM room_trouble WHERE room_id = room.id))
              AND length(key) <= \(maximumKeyLength)
            ORDER BY room.id LIMIT \(maximumKnown)
            """, [.text(kind.rawValue)]
        ) { row in try RoomReference(key: row.text(0), name: row.text(1), kind: kind) }
    }

    package static func find(_ id: Int64, _ db: ReadTransaction) throws -> RoomReference? {
        try db.first(
            """
            SELECT key, name, kind FROM room JOIN room_name ON room_id = room.id AND last_seen_us IS NULL WHERE id = ?1
            """, [.integer(id)]
        ) { row in
            try RoomReference(key: row.text(0), name: row.text(1), kind: Kind(rawValue: row.text(2)) ?? .channel)
        }
    }
}
