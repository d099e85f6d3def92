import ChatModel
import Foundation
import GRDB

extension AccountStatus {
    /// Reads the status from the account's file. `isWritten` is true when a listener holds the writer's lock.
    ///
    /// - Parameter tally: The tally of the previous call, replaced by the new one.
    static func read(
        _ account: AccountIdentity, folder: AccountFolder, isWritten: Bool, tally: inout GapTally?, _ db: Database
    ) throws -> AccountStatus {
        let session = try Row.fetchOne(
            db,
            sql: """
                SELECT started_at_us - ahead_us, last_sign_of_life_us - ahead_us, ended_at_us - ahead_us, reason, detail
                FROM session WHERE id > 0 ORDER BY id DESC LIMIT 1
                """)
        let endedAt: Timestamp? = try session?.value(2)
        // A new session's row has equal times until the session receives something. Until then, the previous session
        // has the last sign of life.
        let lastSignOfLife = try Timestamp.first(
            db,
            sql: """
                SELECT last_sign_of_life_us - ahead_us FROM session WHERE id > 0 AND last_sign_of_life_us > started_at_us
                ORDER BY id DESC LIMIT 1
                """)
        let isConnected = isWritten && session != nil && endedAt == nil
        let since: Timestamp? = try isConnected ? session?.value(0) : endedAt ?? lastSignOfLife
        let reason: String? = try session?.value(3)
        let detail: String? = try session?.value(4)
        let closed = try tally?.updated(to: db) ?? GapTally(db)
        tally = closed
        let current = try CurrentGaps(now: .now(), isWritten: isWritten, db)
        var status = AccountStatus(
            account: account.name, network: account.network,
            state: isConnected ? .connected : isWritten ? .waiting : .offline,
            since: since,
            lastSignOfLife: lastSignOfLife,
            lastMessage: try MessageID.first(db, sql: "SELECT id FROM message ORDER BY id DESC LIMIT 1"),
            messages: try Int64.first(db, sql: "SELECT ifnull(sum(messages), 0) FROM room") ?? 0,
            openGaps: closed.gaps + current.gaps,
            failures: try Int64.fetchOne(db, sql: "SELECT count(*) FROM failure") ?? 0,
            lastError: try (reason == EndReason.stopped.rawValue ? nil : detail ?? reason) ?? troubles(db),
            nextTry: isWritten ? current.nextTry : nil)
        status.troubledRooms = try Int64.fetchOne(db, sql: "SELECT count(DISTINCT room_id) FROM room_trouble")
        status.gapSeconds = closed.microseconds.adding(current.microseconds) / 1_000_000
        try noteLastReceived(&status, db)
        (status.fileBytes, status.walBytes) = (
            AccountFolder.size(folder.database), AccountFolder.size(folder.database + "-wal") ?? 0
        )
        return status
    }

    /// Returns a text for people about the rooms that are not joined: the first, and the number of others. Trouble with
    /// a room's history is shown with its gaps.
    private static func troubles(_ db: Database) throws -> String? {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT name, reason, detail FROM room_trouble JOIN room_name USING (room_id)
                WHERE last_seen_us IS NULL AND about = 0 ORDER BY name
                """)
        return try rows.first.map { row in
            let name: String = try row.value(0)
            let (reason, detail): (String, String?) = try (row.value(1), row.value(2))
            return "\(name) is not joined: \(detail ?? reason)" + (rows.count > 1 ? ", and \(rows.count - 1) more" : "")
        }
    }

    /// Adds the time at which the newest message was received; if a connection brought it, that time is also a sign of
    /// life.
    private static func noteLastReceived(_ status: inout AccountStatus, _ db: Database) throws {
        let newest = try Row.fetchOne(
            db, sql: "SELECT ifnull(received_at_us, id), session_id > 0 FROM message ORDER BY id DESC LIMIT 1")
        if let newest {
            let time: Timestamp = try newest.value(0)
            status.lastEvent = time
            if try newest.value(1) as Bool? == true {
                status.lastSignOfLife = status.lastSignOfLife.map { max($0, time) } ?? time
            }
        }
        status.lastByte = status.lastSignOfLife
    }
}

/// The gaps that reach to now, at most one a room. For a room that was left, the gap between its last span and the
/// departure.
private struct CurrentGaps {
    var gaps: Int64 = 0
    var microseconds: Int64 = 0
    /// The latest time of a next attempt to fill one of these gaps.
    var nextTry: Timestamp?

    /// Counts the gaps by the rules of ``GapReader``.
    init(now: Timestamp, isWritten: Bool, _ db: Database) throws {
        // CROSS JOIN keeps SQLite from reading every span to find the last one of each room.
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT to_us IS NULL, max(coverage.from_us, ifnull(to_us, session.heard_until_us)),
                  gap_note.reason, next_try_us, left_at_us, gone_at_us, last_sign_of_life_us - ahead_us,
                  \(GapReader.ahead)
                FROM room
                  CROSS JOIN coverage ON coverage.room_id = room.id AND coverage.from_us =
                    (SELECT max(from_us) FROM coverage WHERE room_id = room.id)
                  CROSS JOIN session ON session.id = session_id
                  LEFT JOIN gap_note ON gap_note.room_id = room.id AND gap_note.from_us = to_us
                """)
        for row in rows {
            let (isLive, end, reason, next): (Bool, Int64, String?, Timestamp?) = try (
                row.value(0), row.value(1), row.value(2), row.value(3)
            )
            let silence = try now.since(row.value(6))
            if isLive, isWritten, silence <= GapReader.longestSilence { continue }
            if let departure = try RoomDeparture(leftAt: row.value(4), goneAt: row.value(5)) {
                guard !departure.endsSpan(at: end, reason: reason) else { continue }
                gaps += 1
                microseconds = microseconds.adding(departure.at - end)
                continue
            }
            gaps += 1
            microseconds = try microseconds.adding(max(0, now.microseconds - end + row.value(7)))
            nextTry = [nextTry, next].compactMap(\.self).max()
        }
    }
}
