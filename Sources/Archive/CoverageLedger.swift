import ChatModel
import GRDB

/// Writes sessions, covered spans and the notes on what lies between them.
enum CoverageLedger {
    /// The reason on a gap that one event left which could not be stored or understood.
    static let failure = "failure"

    static func openSession(at time: Timestamp, _ db: Database) throws -> Int64 {
        try db.execute(
            sql: "INSERT INTO session (started_at_us, last_sign_of_life_us) VALUES (?, ?)",
            arguments: [time.microseconds, time.microseconds])
        return db.lastInsertedRowID
    }

    static func openSpan(room: Int64, session: SessionID, at time: Timestamp, _ db: Database) throws {
        let live = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM coverage WHERE session_id = ? AND room_id = ? AND to_us IS NULL)",
            arguments: [session.rawValue, room])
        if live == true { return }
        // Times of receipt never go back, but a span of an earlier program might end later than now.
        let end = try Int64?.fetchOne(
            db, sql: "SELECT max(to_us) FROM coverage WHERE room_id = ?", arguments: [room])
        let from = max(time.microseconds, (end ?? nil).map { $0 + 1 } ?? .min)
        try db.execute(
            sql: "INSERT INTO coverage (room_id, from_us, session_id) VALUES (?, ?, ?)",
            arguments: [room, from, session.rawValue])
        try noteTry(room: room, attempts: nil, next: nil, db)
        try Feed.coverage(roomID: room, db)
    }

    static func endSession(
        _ session: SessionID, at time: Timestamp, reason: EndReason, detail: String?, _ db: Database
    ) throws {
        try SessionProgress(signOfLife: time).record(of: session, db)
        try db.execute(
            sql: """
                UPDATE session SET ended_at_us = last_sign_of_life_us, reason = ?, detail = ?
                WHERE id = ? AND ended_at_us IS NULL
                """,
            arguments: [reason.rawValue, detail, session.rawValue])
        let spans = try Row.fetchAll(
            db,
            sql: """
                SELECT coverage.id, room_id, max(from_us, session.last_sign_of_life_us)
                FROM coverage JOIN session ON session.id = session_id
                WHERE session_id = ? AND to_us IS NULL
                """,
            arguments: [session.rawValue])
        for span in spans {
            let (id, room, end): (Int64, Int64, Int64) = (span[0], span[1], span[2])
            try db.execute(sql: "UPDATE coverage SET to_us = ? WHERE id = ?", arguments: [end, id])
            try note(room: room, from: end, reason: reason.rawValue, db)
            try Feed.coverage(roomID: room, db)
        }
    }

    /// Closes what a process left open that ended without a word: each at its last sign of life.
    static func closeLeftOpen(_ db: Database) throws {
        let open = try Row.fetchAll(
            db, sql: "SELECT id, last_sign_of_life_us FROM session WHERE ended_at_us IS NULL")
        for session in open {
            let (id, last): (Int64, Int64) = (session[0], session[1])
            try endSession(
                SessionID(rawValue: id), at: Timestamp(microseconds: last), reason: .crashed,
                detail: "the listener ended without closing the session", db)
        }
    }

    /// Between two connections: how often it was tried, and when it will be again, on every room's current gap.
    static func noteWaiting(attempts: Int, next: Timestamp, _ db: Database) throws {
        let rooms = try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM room WHERE NOT EXISTS
                  (SELECT 1 FROM coverage WHERE room_id = room.id AND to_us IS NULL)
                """)
        for room in rooms { try noteTry(room: room, attempts: attempts, next: next, db) }
    }

    /// An event at `time` is missing: the span over it becomes one up to just before and one from just after.
    static func split(room: Int64, at time: Int64, _ db: Database) throws {
        let span = try Row.fetchOne(
            db,
            sql: """
                SELECT id, from_us, to_us, session_id FROM coverage
                WHERE room_id = ? AND from_us <= ? ORDER BY from_us DESC LIMIT 1
                """,
            arguments: [room, time])
        guard let span else { return }
        let (id, from, to, session): (Int64, Int64, Int64?, Int64) = (span[0], span[1], span[2], span[3])
        if let to, to < time { return }
        if from < time {
            try db.execute(sql: "UPDATE coverage SET to_us = ? WHERE id = ?", arguments: [time - 1, id])
            try note(room: room, from: time - 1, reason: failure, db)
        } else {
            try db.execute(sql: "DELETE FROM coverage WHERE id = ?", arguments: [id])
        }
        if to.map({ $0 > time }) ?? true {
            try db.execute(
                sql: "INSERT INTO coverage (room_id, from_us, to_us, session_id) VALUES (?, ?, ?, ?)",
                arguments: [room, time + 1, to, session])
        }
        try Feed.coverage(roomID: room, db)
    }

    private static func note(room: Int64, from: Int64, reason: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO gap_note (room_id, from_us, reason) VALUES (?, ?, ?)
                ON CONFLICT (room_id, from_us) DO UPDATE SET reason = excluded.reason
                """,
            arguments: [room, from, reason])
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
