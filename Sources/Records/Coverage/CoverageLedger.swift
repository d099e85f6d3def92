package import ChatModel
package import SQLite
import Schema

/// Writes sessions, covered spans, and the notes on the gaps between them.
package enum CoverageLedger {
    /// The reason of a gap that an event left which could not be stored or understood.
    static let failure = "failure"
    /// The reason of a gap that an unreadable message of the network's history left. Another request would bring the
    /// same message.
    package static let unreadable = "unreadable"
    /// The reason of a gap that a damaged file left: ``Rescue`` could not read what was there.
    package static let damaged = "damaged"

    /// A row of `coverage`.
    private struct Span {
        static let columns = "id, from_us, to_us, session_id"

        let (id, from): (Int64, Int64)
        /// Nil for a live span.
        let to: Int64?
        let session: Int64

        init(_ row: Columns) throws {
            (id, from, to, session) = try (row.value(0), row.value(1), row.value(2), row.value(3))
        }

        var isLive: Bool { to == nil }
    }

    package static func openSession(at time: Timestamp, offset: ReceiptOffset, _ db: Database) throws -> Int64 {
        try db.execute(
            sql: "INSERT INTO session (started_at_us, last_sign_of_life_us) VALUES (?, ?)",
            arguments: [time.microseconds, time.microseconds])
        let session = db.lastInsertedRowID
        if offset != ReceiptOffset() { try setReceiptOffset(offset, of: SessionID(rawValue: session), db) }
        return session
    }

    package static func setReceiptOffset(_ offset: ReceiptOffset, of session: SessionID, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE session SET ahead_us = ?, booted_at_us = ?, boot = ? WHERE id = ?")
            .execute(arguments: [offset.ahead, offset.bootedAt?.microseconds, offset.boot, session.rawValue])
    }

    package static func openSpan(room: Int64, session: SessionID, at time: Timestamp, _ db: Database) throws {
        if try liveSpan(room: room, session, db) != nil { return }
        // Times of receipt never go back, but the network's clock may. The length of the gap is unknown in that case,
        // and it is recorded as 2 µs.
        let end = try endOfLastSpan(room: room, db)
        let network = try networkTime(time, session, db)
        let from = max(network.microseconds, end.map { $0 + (network == time ? 1 : 2) } ?? .min)
        try insertSpan(room: room, from: from, to: nil, session: session.rawValue, db)
        try noteTry(room: room, attempts: nil, next: nil, db)
        try Feed.coverage(roomID: room, db)
    }

    /// Returns the end of the room's last span that is not live, in microseconds since 1970; nil if there is none.
    package static func endOfLastSpan(room: Int64, _ db: Database) throws -> Int64? {
        try Int64.first(
            db.cachedStatement(
                sql: """
                    SELECT to_us FROM coverage WHERE room_id = ? AND to_us IS NOT NULL ORDER BY from_us DESC LIMIT 1
                    """), [room])
    }

    /// - Parameter to: Nil for a live span.
    package static func insertSpan(room: Int64, from: Int64, to: Int64?, session: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO coverage (room_id, from_us, to_us, session_id) VALUES (?, ?, ?, ?)")
            .execute(arguments: [room, from, to, session])
    }

    /// Returns the room's live span in the session; nil if there is none. Looks only at the latest span, because a
    /// room's spans do not overlap and may be a million.
    private static func liveSpan(room: Int64, _ session: SessionID, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT id FROM (SELECT id, session_id, to_us FROM coverage WHERE room_id = ? ORDER BY from_us DESC LIMIT 1)
                    WHERE session_id = ? AND to_us IS NULL
                    """), arguments: [room, session.rawValue])
    }

    /// Sets the lead of the network's clock over ours. The session's coverage is in the network's time after the first
    /// call.
    package static func setClockLead(_ microseconds: Int64, of session: SessionID, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE session SET clock_lead_us = ? WHERE id = ? AND ended_at_us IS NULL")
            .execute(arguments: [microseconds, session.rawValue])
    }

    /// Returns a time of receipt by the network's clock, or the same time if the lead is unknown.
    package static func networkTime(_ receipt: Timestamp, _ session: SessionID?, _ db: Database) throws -> Timestamp {
        guard let session else { return receipt }
        let lead = try Int64.first(
            db.cachedStatement(sql: "SELECT clock_lead_us FROM session WHERE id = ?"), [session.rawValue])
        return receipt.advanced(byMicroseconds: lead ?? 0)
    }

    package static func endSession(
        _ session: SessionID, at time: Timestamp, reason: EndReason, detail: String?, _ db: Database
    ) throws {
        try SessionProgress(signOfLife: time).record(of: session, db)
        try db.execute(
            sql: """
                UPDATE session SET ended_at_us = last_sign_of_life_us, reason = ?, detail = ?
                WHERE id = ? AND ended_at_us IS NULL
                """,
            arguments: [reason.rawValue, detail, session.rawValue])
        try endSpans(of: session, room: nil, reason: reason, db)
        try RoomTrouble.endTries(db)
        try Feed.session(session, db)
    }

    /// Ends the room's span; the session continues.
    package static func endSpan(
        room: Int64, session: SessionID, at time: Timestamp, reason: EndReason, _ db: Database
    ) throws {
        try SessionProgress(signOfLife: time).record(of: session, db)
        try endSpans(of: session, room: room, reason: reason, db)
    }

    /// Ends spans at the session's last sign of life. If the network's clock is known, the spans end before that
    /// millisecond, because later messages of the same millisecond have the same time.
    private static func endSpans(of session: SessionID, room: Int64?, reason: EndReason, _ db: Database) throws {
        var (condition, arguments) = ("session_id = ? AND to_us IS NULL", [session.rawValue])
        if let room {
            // A room without a live span has no span to end.
            guard let live = try liveSpan(room: room, session, db) else { return }
            condition = "session_id = ? AND coverage.id = ?"
            arguments.append(live)
        }
        let spans: [(Int64, Int64, Int64)] = try db.all(
            sql: """
                SELECT coverage.id, room_id, max(from_us, iif(clock_lead_us = 0, session.heard_until_us,
                  session.heard_until_us / 1000 * 1000 - 1))
                FROM coverage JOIN session ON session.id = session_id
                WHERE \(condition)
                """,
            arguments: StatementArguments(arguments)
        ) { try ($0.value(0), $0.value(1), $0.value(2)) }
        for (id, room, end) in spans {
            try db.execute(sql: "UPDATE coverage SET to_us = ? WHERE id = ?", arguments: [end, id])
            try noteReason(reason.rawValue, room: room, from: end, db)
            try Feed.coverage(roomID: room, db)
        }
    }

    /// Covers the time between two instants, and merges it with the spans that it touches. A live span stays live.
    package static func cover(room: Int64, from: Timestamp, to: Timestamp, session: SessionID, _ db: Database) throws {
        guard from <= to else { return }
        let touched = try db.all(
            sql: """
                SELECT \(Span.columns) FROM coverage
                WHERE room_id = ?1 AND from_us <= ?3 + 1 AND ifnull(to_us, ?2) >= ?2 - 1 ORDER BY from_us
                """,
            arguments: [room, from.microseconds, to.microseconds]
        ) { try Span($0) }
        let first = min(touched.first?.from ?? .max, from.microseconds)
        let last = touched.last?.isLive == true ? nil : max(touched.last?.to ?? .min, to.microseconds)
        // Keeps the session of the latest span, because a live span must stay with its session.
        let owner = touched.last?.session ?? session.rawValue
        if touched.count == 1, touched[0].from == first, touched[0].to == last { return }
        for span in touched { try db.execute(sql: "DELETE FROM coverage WHERE id = ?", arguments: [span.id]) }
        try insertSpan(room: room, from: first, to: last, session: owner, db)
        try moveNote(room: room, from: first, to: last, db)
        try Feed.coverage(roomID: room, db)
    }

    /// Deletes the notes on gaps that are now covered. The last of them moves to the remaining gap.
    private static func moveNote(room: Int64, from: Int64, to: Int64?, _ db: Database) throws {
        let notes: [(from: Int64, reason: String, attempts: Int64, nextTry: Int64?)] = try db.all(
            sql: """
                DELETE FROM gap_note WHERE room_id = ?1 AND from_us >= ?2 AND from_us < ifnull(?3, \(Int64.max))
                RETURNING from_us, reason, attempts, next_try_us
                """,
            arguments: [room, from, to]
        ) {
            try ($0.value(0), $0.value(1), $0.value(2), $0.value(3))
        }
        let ends = notes.filter { ![failure, unreadable].contains($0.reason) }
        guard let to, let last = ends.max(by: { $0.from < $1.from }) else { return }
        try db.execute(
            sql: """
                INSERT INTO gap_note (room_id, from_us, reason, attempts, next_try_us) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (room_id, from_us) DO NOTHING
                """,
            arguments: [room, to, last.reason, last.attempts, last.nextTry])
    }

    /// Ends the sessions that a crashed process left open, each at its last sign of life.
    package static func closeLeftOpen(_ db: Database) throws {
        let open: [(Int64, Int64)] = try db.all(
            sql: "SELECT id, last_sign_of_life_us FROM session WHERE ended_at_us IS NULL"
        ) { try ($0.value(0), $0.value(1)) }
        for (id, last) in open {
            try endSession(
                SessionID(rawValue: id), at: Timestamp(microseconds: last), reason: .crashed,
                detail: "the listener ended without closing the session", db)
        }
    }

    /// Notes the number of attempts and the time of the next one on the current gap of every room, between two
    /// connections.
    package static func noteWaiting(attempts: Int, next: Timestamp, _ db: Database) throws {
        let rooms = try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM room WHERE left_at_us IS NULL AND gone_at_us IS NULL AND NOT EXISTS
                  (SELECT 1 FROM coverage WHERE room_id = room.id AND to_us IS NULL)
                """)
        for room in rooms { try noteTry(room: room, attempts: attempts, next: next, db) }
    }

    /// Splits the span around a missing event into one that ends just before `time` and one that begins just after.
    ///
    /// - Parameter reason: ``failure`` or ``unreadable``.
    package static func split(room: Int64, at time: Int64, reason: String = failure, _ db: Database) throws {
        let span = try db.first(
            sql: """
                SELECT \(Span.columns) FROM coverage
                WHERE room_id = ? AND from_us <= ? ORDER BY from_us DESC LIMIT 1
                """,
            arguments: [room, time]
        ) { try Span($0) }
        guard let span else { return }
        if let to = span.to, to < time { return }
        if span.from < time {
            try db.execute(sql: "UPDATE coverage SET to_us = ? WHERE id = ?", arguments: [time - 1, span.id])
            try noteReason(reason, room: room, from: time - 1, db)
        } else {
            try db.execute(sql: "DELETE FROM coverage WHERE id = ?", arguments: [span.id])
        }
        if span.to.map({ $0 > time }) ?? true {
            try insertSpan(room: room, from: time + 1, to: span.to, session: span.session, db)
        }
        try Feed.coverage(roomID: room, db)
    }

    package static func noteReason(_ reason: String, room: Int64, from: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO gap_note (room_id, from_us, reason) VALUES (?, ?, ?)
                ON CONFLICT (room_id, from_us) DO UPDATE SET reason = excluded.reason
                """,
            arguments: [room, from, reason])
    }

    /// Notes the server's words and the time of the next attempt on the current gap of a room that can't be joined.
    package static func noteTrouble(_ trouble: RoomTrouble, room: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE gap_note SET next_try_us = ?1, detail = iif(unfilled IS NULL, ?2, detail)
                WHERE room_id = ?3 AND from_us = (SELECT max(from_us) FROM gap_note WHERE room_id = ?3)
                  AND ifnull((SELECT to_us IS NOT NULL FROM coverage WHERE room_id = ?3 ORDER BY from_us DESC LIMIT 1), 1)
                """,
            arguments: [trouble.nextTry?.microseconds, trouble.detail?.keptDetail, room])
    }

    private static func noteTry(room: Int64, attempts: Int?, next: Timestamp?, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE gap_note SET attempts = ifnull(?, attempts), next_try_us = ?
                WHERE room_id = ? AND from_us = (SELECT max(from_us) FROM gap_note WHERE room_id = ?)
                """,
            arguments: [attempts, next?.microseconds, room, room])
    }
}
