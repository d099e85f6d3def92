import ChatModel
package import Schema

/// A covered span of a room, and what is noted on the time after it.
package struct CoveredSpan {
    let from: Int64
    /// The last covered instant; of an open span, the last one that was heard.
    package let to: Int64
    /// The session's last sign of life, by this machine's clock; nil for a span that has ended.
    let lastSignOfLife: Timestamp?
    /// The columns of `gap_note`.
    let (reason, unfilled, detail): (String?, String?, String?)
    let nextTry: Int64?
    /// The microseconds by which the span's times are ahead of this machine's clock; 0 when they are the network's.
    let ahead: Int64

    private init(_ row: Columns) throws {
        from = try row.integer(0)
        to = try max(from, row.integer(1))
        lastSignOfLife = try row.bool(2) ? row.time(3) : nil
        (reason, unfilled, detail) = try (row.optionalText(4), row.optionalText(5), row.optionalText(6))
        (nextTry, ahead) = try (row.optionalInteger(7), row.integer(8))
    }

    /// Returns true if there is an instant between this span and the next one.
    func hasGap(before next: CoveredSpan) -> Bool { to < next.from && to + 1 < next.from }

    /// Goes along the spans of a room between two instants, and calls `body` between one and the next until it returns
    /// a value. This is the only place that knows what is covered.
    ///
    /// - Parameters:
    ///   - lower: The first span is the last one that begins at or before this instant, or else the room's first.
    ///   - upper: The last span is the first one that begins at or after this instant, or else the room's last.
    ///   - body: Gets the span before, which is nil before the room's first span if that begins after `lower`, and the
    ///     span after, which is nil after the room's last span. Both are nil for a room without spans.
    @discardableResult static func sweep<T>(
        _ room: Int64, from lower: Int64 = .min, to upper: Int64 = .max, _ db: ReadTransaction,
        _ body: (_ before: CoveredSpan?, _ after: CoveredSpan?) throws -> T?
    ) throws -> T? {
        var before: CoveredSpan?
        let found = try db.first(
            """
            SELECT coverage.from_us, coalesce(to_us, session.heard_until_us), to_us IS NULL, last_sign_of_life_us - ahead_us,
              gap_note.reason, gap_note.unfilled, gap_note.detail, gap_note.next_try_us,
              CASE WHEN clock_lead_us = 0 THEN ahead_us ELSE 0 END
            FROM coverage JOIN session ON session.id = session_id
              LEFT JOIN gap_note ON gap_note.room_id = coverage.room_id AND gap_note.from_us = to_us
            WHERE coverage.room_id = ?1
              AND coverage.from_us >=
                coalesce((SELECT max(from_us) FROM coverage WHERE room_id = ?1 AND from_us <= ?2), ?2)
              AND coverage.from_us <=
                coalesce((SELECT min(from_us) FROM coverage WHERE room_id = ?1 AND from_us >= ?3), ?3)
            ORDER BY coverage.from_us
            """, [.integer(room), .integer(lower), .integer(upper)]
        ) { row -> T?? in
            let span = try CoveredSpan(row)
            defer { before = span }
            let found = try before != nil || span.from > lower ? body(before, span) : nil
            return found != nil || span.from >= upper ? .some(found) : nil
        }
        return try found ?? body(before, nil)
    }

    /// Returns the room's first span.
    static func first(_ room: Int64, _ db: ReadTransaction) throws -> CoveredSpan? {
        try sweep(room, to: .min, db) { _, first in first }
    }

    /// Returns the room's last span that begins at or before an instant.
    package static func last(_ room: Int64, atOrBefore instant: Int64, _ db: ReadTransaction) throws -> CoveredSpan? {
        try sweep(room, from: instant, to: instant == .max ? .max : instant + 1, db) { before, _ in before }
    }
}

/// A room, and what its own row says about the ends of its coverage.
struct CoveredRoom {
    let id: Int64
    let name: String
    let departure: RoomDeparture?
    /// The instant back to which the network gave all of its history.
    let fetchedBackTo: Int64?

    /// Reads some rooms, or all.
    static func read(_ rooms: [Int64]?, _ db: ReadTransaction) throws -> [CoveredRoom] {
        let condition: SQLText = rooms == nil ? "" : "WHERE room.id \(.among(1))"
        return try db.all(
            """
            SELECT room.id, room_name.name, left_at_us, gone_at_us, asked_back_to_us
            FROM room JOIN room_name ON room_id = room.id AND last_seen_us IS NULL
            \(condition)
            """, rooms.map { [.list($0)] } ?? []
        ) { row in
            try CoveredRoom(
                id: row.integer(0), name: row.text(1),
                departure: RoomDeparture(leftAt: row.optionalInteger(2), goneAt: row.optionalInteger(3)),
                fetchedBackTo: row.optionalInteger(4))
        }
    }
}
