import Accounts
import ChatModel
import Files
import Networks
import Records
import Schema

extension AccountStatus {
    /// Reads the status from the account's file. `isWritten` is true when a listener holds the writer's lock.
    ///
    /// - Parameter tally: The tally of the previous call, replaced by the new one.
    static func read(
        _ account: AccountIdentity, folder: AccountFolder, isWritten: Bool, tally: inout GapTally?,
        _ db: ReadTransaction
    ) throws -> AccountStatus {
        let session = try Session.last(db)
        let lastSignOfLife = try Session.lastSignOfLife(db)
        let isConnected = isWritten && session != nil && session?.endedAt == nil
        let since = isConnected ? session?.startedAt : session?.endedAt ?? lastSignOfLife
        let error = session?.reason == EndReason.stopped.rawValue ? nil : session?.detail ?? session?.reason
        let closed = try tally?.updated(to: db) ?? GapTally(db)
        tally = closed
        let now = Timestamp.now()
        let current = try GapReader(account: account, now: now, isWritten: { isWritten }).current(db)
        var status = AccountStatus(
            account: account.name, network: account.network,
            state: account.network == AccountIdentity.importedNetwork
                ? .imported : isConnected ? .connected : isWritten ? .waiting : .offline,
            since: since,
            lastSignOfLife: lastSignOfLife,
            lastMessage: try db.first("SELECT id FROM message ORDER BY id DESC LIMIT 1") { try $0.messageID(0) },
            messages: try db.integer("SELECT CAST(sum(messages) AS BIGINT) FROM room") ?? 0,
            openGaps: closed.gaps + Int64(current.count),
            failures: try db.integer("SELECT count(*) FROM failure") ?? 0,
            lastError: try error ?? troubles(db) ?? namesakes(account, db),
            nextTry: current.compactMap(\.missing?.nextTry).max())
        status.troubledRooms = try db.integer("SELECT count(DISTINCT room_id) FROM room_trouble")
        let length = current.reduce(Timestamp(microseconds: closed.microseconds)) { length, gap in
            length.advanced(by: max(.zero, gap.length(at: now)))
        }
        status.gapSeconds = length.microseconds / 1_000_000
        try noteLastReceived(&status, db)
        (status.fileBytes, status.walBytes) = (
            FolderEntries.size(of: folder.database), FolderEntries.size(of: folder.database + "-wal") ?? 0
        )
        return status
    }

    /// Returns a text for people about the rooms that are not joined: the first, and the number of others. Trouble with
    /// a room's history is shown with its gaps.
    private static func troubles(_ db: ReadTransaction) throws -> String? {
        let troubles = try db.all(
            """
            SELECT name, reason, detail FROM room_trouble JOIN room_name USING (room_id)
            WHERE last_seen_us IS NULL AND about = 0 ORDER BY name
            """
        ) { row in try (name: row.text(0), reason: row.text(1), detail: row.optionalText(2)) }
        return troubles.first.map { trouble in
            "\(trouble.name) is not joined: \(trouble.detail ?? trouble.reason)"
                + (troubles.count > 1 ? ", and \(troubles.count - 1) more" : "")
        }
    }

    /// Returns a text for people about the first room or person of several with one name.
    private static func namesakes(_ account: AccountIdentity, _ db: ReadTransaction) throws -> String? {
        guard NetworkTraits.of(account.network).hasNamesAsKeys, !db.isShared else { return nil }
        let all = try Namesakes.readAll(db)
        let more = all.count > 1 ? ", and \(all.count - 1) more" : ""
        return all.first.map { $0.sentence(account: account.name) + more }
    }

    /// Adds the time at which the newest message was received; if a connection brought it, that time is also a sign of
    /// life.
    private static func noteLastReceived(_ status: inout AccountStatus, _ db: ReadTransaction) throws {
        let newest = try db.first(
            "SELECT coalesce(received_at_us, id), session_id > 0 FROM message ORDER BY id DESC LIMIT 1"
        ) { row in try (time: row.time(0), isReceived: row.optionalBool(1) ?? false) }
        if let newest {
            status.lastEvent = newest.time
            if newest.isReceived {
                status.lastSignOfLife = status.lastSignOfLife.map { max($0, newest.time) } ?? newest.time
            }
        }
        status.lastByte = status.lastSignOfLife
    }
}

/// The latest session of a connection, in times of the clock.
private struct Session {
    var startedAt: Timestamp
    var endedAt: Timestamp?
    var reason: String?
    var detail: String?

    static func last(_ db: ReadTransaction) throws -> Session? {
        try db.first(
            """
            SELECT started_at_us - ahead_us, ended_at_us - ahead_us, reason, detail
            FROM session WHERE id > 0 ORDER BY id DESC LIMIT 1
            """
        ) { row in
            try Session(
                startedAt: row.time(0), endedAt: row.optionalTime(1), reason: row.optionalText(2),
                detail: row.optionalText(3))
        }
    }

    /// Returns the last sign of life of all sessions. A new session's row has equal times until the session receives
    /// something. Until then, the previous session has the last sign of life.
    static func lastSignOfLife(_ db: ReadTransaction) throws -> Timestamp? {
        try db.first(
            """
            SELECT last_sign_of_life_us - ahead_us FROM session WHERE id > 0 AND last_sign_of_life_us > started_at_us
            ORDER BY id DESC LIMIT 1
            """
        ) { try $0.optionalTime(0) }
    }
}
