package import ChatModel
package import SQLite
import Schema

extension CoverageLedger {
    /// Notes the reason on every gap of the room within the history's time. Reports a changed note to followers of the
    /// room.
    ///
    /// - Returns: True if there is such a gap.
    package static func noteUnfilled(_ history: UnfilledHistory, room: Int64, _ db: Database) throws -> Bool {
        let (from, to) = (history.from.microseconds, history.to.microseconds)
        var ends: [Int64] = []
        try CoveredSpan.sweep(room, from: from, to: to, ReadTransaction(db)) { span, next -> Never? in
            guard let span, span.lastSignOfLife == nil, span.to < to,
                next.map({ span.hasGap(before: $0) && $0.from > from }) ?? true
            else { return nil }
            ends.append(span.to)
            return nil
        }
        let detail = history.detail?.keptDetail
        var isChanged = false
        for end in ends {
            let known: (String?, String?)? = try db.first(
                sql: "SELECT unfilled, detail FROM gap_note WHERE room_id = ? AND from_us = ?",
                arguments: [room, end]
            ) { try ($0.value(0), $0.value(1)) }
            if known ?? (nil, nil) != (history.reason.rawValue, detail) { isChanged = true }
            try db.execute(
                sql: """
                    INSERT INTO gap_note (room_id, from_us, reason, attempts, next_try_us, unfilled, detail)
                      VALUES (?1, ?2, ?3, 1, ?4, ?3, ?5)
                    ON CONFLICT (room_id, from_us) DO UPDATE SET attempts = attempts + 1,
                      reason = iif(reason = '\(UnfilledReason.pending.rawValue)', excluded.reason, reason),
                      next_try_us = excluded.next_try_us, unfilled = excluded.unfilled, detail = excluded.detail
                    """,
                arguments: [room, end, history.reason.rawValue, history.nextTry?.microseconds, detail])
        }
        if isChanged { try Feed.coverage(roomID: room, db) }
        return !ends.isEmpty
    }
}
