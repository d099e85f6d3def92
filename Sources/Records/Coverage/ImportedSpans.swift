package import ChatModel
package import SQLite
import Schema

/// The rows of `imported_span`: the times that logs and exports cover in a room. Spans that overlap or touch are
/// merged.
package enum ImportedSpans {
    /// Returns the spans of a room, in microseconds since 1970, in any order.
    package static func readAll(room: Int64, _ db: Database) throws -> [(from: Int64, to: Int64)] {
        try db.all(sql: "SELECT from_us, to_us FROM imported_span WHERE room_id = ?", arguments: [room]) {
            (from: try $0.value(0), to: try $0.value(1))
        }
    }

    package static func add(_ spans: [(from: Int64, to: Int64)], room: Int64, _ db: Database) throws {
        for span in spans {
            try add(
                room: room, from: Timestamp(microseconds: span.from), to: Timestamp(microseconds: span.to), db)
        }
    }

    /// Adds a span. Writes nothing if the time is already covered.
    package static func add(room: Int64, from: Timestamp, to: Timestamp, _ db: Database) throws {
        guard from <= to else { return }
        // Stored spans don't overlap, so only the last one that begins before the new span can reach into it.
        let touched = try db.cachedStatement(
            sql: """
                SELECT from_us, to_us FROM imported_span
                WHERE room_id = ?1 AND from_us <= ?3 + 1 AND to_us >= ?2 - 1
                  AND from_us >= ifnull((SELECT max(from_us) FROM imported_span WHERE room_id = ?1 AND from_us <= ?2), ?2)
                ORDER BY from_us
                """
        ).all(arguments: [room, from.microseconds, to.microseconds]) {
            (from: try $0.value(0) as Int64, to: try $0.value(1) as Int64)
        }
        let first = min(from.microseconds, touched.first?.from ?? .max)
        let last = max(to.microseconds, touched.last?.to ?? .min)
        if touched.count == 1, touched[0] == (first, last) { return }
        for span in touched {
            try db.cachedStatement(sql: "DELETE FROM imported_span WHERE room_id = ? AND from_us = ?")
                .execute(arguments: [room, span.from])
        }
        try db.cachedStatement(sql: "INSERT INTO imported_span (room_id, from_us, to_us) VALUES (?, ?, ?)")
            .execute(arguments: [room, first, last])
        try Feed.coverage(roomID: room, db)
    }

    /// Spans that are less than this many microseconds apart are reported as one, such as the logs of consecutive days.
    private static let day: Int64 = 86_400_000_000

    /// Returns the spans of a room that overlap the time between two instants (in µs), in order of time, without the
    /// times of messages that a damaged file lost. Merges spans that are less than a day apart.
    static func between(
        _ lower: Int64, _ upper: Int64, room: Int64, _ db: ReadTransaction
    ) throws -> [Gap.Imported] {
        var found: [Gap.Imported] = []
        try db.forEach(
            """
            SELECT from_us, to_us FROM imported_span
            WHERE room_id = ?1 AND from_us < ?3 AND to_us > ?2
              AND from_us >= coalesce((SELECT max(from_us) FROM imported_span WHERE room_id = ?1 AND from_us <= ?2), ?2)
            ORDER BY from_us
            """, [.integer(room), .integer(lower), .integer(upper)]
        ) { row in
            let (from, to) = try (row.time(0), row.time(1))
            if let last = found.last, from < last.to.advanced(byMicroseconds: day) {
                found[found.count - 1].to = to
            } else {
                found.append(Gap.Imported(from: from, to: to))
            }
        }
        let holes = found.isEmpty ? [] : try damagedHoles(room: room, db)
        return found.flatMap { $0.without(holes) }
    }

    /// Returns the times between imported spans in which a damaged file lost messages, in order of time.
    private static func damagedHoles(room: Int64, _ db: ReadTransaction) throws -> [Gap.Imported] {
        let holes = try db.all(
            """
            SELECT gap_note.from_us, (SELECT min(from_us) FROM imported_span
              WHERE imported_span.room_id = ?1 AND imported_span.from_us > gap_note.from_us)
            FROM gap_note
            WHERE gap_note.room_id = ?1 AND gap_note.reason = ?2 AND EXISTS (SELECT 1 FROM imported_span
              WHERE imported_span.room_id = ?1 AND imported_span.to_us = gap_note.from_us)
            ORDER BY gap_note.from_us
            """, [.integer(room), .text(CoverageLedger.damaged)]
        ) { row in try (from: row.time(0), to: row.optionalTime(1)) }
        return holes.compactMap { hole in hole.to.map { Gap.Imported(from: hole.from, to: $0) } }
    }
}

extension Gap.Imported {
    /// Returns the parts of the span outside the holes, which are in order of time.
    fileprivate func without(_ holes: [Gap.Imported]) -> [Gap.Imported] {
        var parts = [self]
        for hole in holes where from <= hole.from && hole.to <= to {
            parts[parts.count - 1].to = hole.from
            parts.append(Gap.Imported(from: hole.to, to: to))
        }
        return parts
    }
}
