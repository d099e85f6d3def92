package import ChatModel
package import SQLite
import Schema

/// Withdraws coverage of a room.
extension CoverageLedger {
    /// The number of messages searched for a proof that the bouncer was connected to the network. The account's own
    /// messages and the bouncer's prove nothing.
    private static let lookback = 1000

    /// Cuts the withdrawn time out of the room's spans.
    package static func withdraw(_ time: WithdrawnCoverage, room: Int64, _ db: Database) throws {
        let end = time.to.microseconds
        let start = try time.from?.microseconds ?? lastProof(before: end, bouncerRooms: time.bouncerRooms, db) ?? .min
        try cut(room: room, after: start, before: end, db) { from in
            try noteOutage(room: room, from: from, isLost: time.isLost, db)
        }
    }

    /// Cuts the time between two instants out of the room's spans. A room's first span keeps its first instant, so that
    /// the time is a gap.
    ///
    /// - Parameter note: Notes the reason of the gap that begins at an instant.
    package static func cut(
        room: Int64, after start: Int64, before end: Int64, _ db: Database, note: (_ from: Int64) throws -> Void
    ) throws {
        guard start < end else { return }
        let spans: [(Int64, Int64, Int64?, Int64, Bool)] = try db.all(
            sql: """
                SELECT id, from_us, to_us, session_id, from_us = (SELECT min(from_us) FROM coverage WHERE room_id = ?1)
                FROM coverage WHERE room_id = ?1 AND from_us < ?3 AND ifnull(to_us, ?3) > ?2 ORDER BY from_us
                """,
            arguments: [room, start, end]
        ) { try ($0.value(0), $0.value(1), $0.value(2), $0.value(3), $0.value(4)) }
        guard !spans.isEmpty else { return }
        try db.execute(
            sql: "DELETE FROM gap_note WHERE room_id = ? AND from_us > ? AND from_us <= ?",
            arguments: [room, start, end])
        for (id, from, to, session, isFirst) in spans {
            if from <= start || isFirst {
                try db.execute(sql: "UPDATE coverage SET to_us = ? WHERE id = ?", arguments: [max(from, start), id])
                try note(max(from, start))
            } else {
                try db.execute(sql: "DELETE FROM coverage WHERE id = ?", arguments: [id])
            }
            if to.map({ $0 > end }) ?? true {
                try insertSpan(room: room, from: end, to: to, session: session, db)
            }
        }
        try Feed.coverage(roomID: room, db)
    }

    private static func noteOutage(room: Int64, from: Int64, isLost: Bool, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO gap_note (room_id, from_us, reason, unfilled) VALUES (?, ?, ?, ?)
                ON CONFLICT (room_id, from_us) DO UPDATE SET reason = excluded.reason, unfilled = excluded.unfilled,
                  next_try_us = NULL, detail = NULL
                """,
            arguments: [room, from, EndReason.bouncer.rawValue, isLost ? UnfilledReason.bouncer.rawValue : nil])
    }

    /// Returns the latest message before an instant that a connection brought, that another user wrote, and whose room
    /// is not the bouncer's own; nil if the last ``lookback`` messages have none.
    private static func lastProof(before end: Int64, bouncerRooms: [String], _ db: Database) throws -> Int64? {
        let marks = Array(repeating: "?", count: bouncerRooms.count).joined(separator: ", ")
        let others = bouncerRooms.isEmpty ? "" : " AND room.key NOT IN (\(marks))"
        return try Int64.fetchOne(
            db,
            sql: """
                SELECT m.id FROM (SELECT * FROM message WHERE id < ? ORDER BY id DESC LIMIT \(lookback)) AS m
                  JOIN room ON room.id = m.room_id JOIN user ON user.id = m.sender_id
                WHERE m.session_id IS NOT NULL AND self_by = 0 AND room.kind <> 'server'\(others)
                ORDER BY m.id DESC LIMIT 1
                """,
            arguments: StatementArguments([end]) + StatementArguments(bouncerRooms))
    }

    /// Deletes the room's spans and the notes on its gaps.
    package static func uncover(room: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM coverage WHERE room_id = ?", arguments: [room])
        guard db.changesCount > 0 else { return }
        try db.execute(sql: "DELETE FROM gap_note WHERE room_id = ?", arguments: [room])
        try Feed.coverage(roomID: room, db)
    }
}
