import Bytes
import CSQLite
package import ChatModel
import FoundationEssentials
import Records
package import SQLite
import Schema

/// Keeps events that could not be stored or understood, each once, with its payload.
package enum FailureLog {
    /// Inserts a row of `failure`, or increments the count of the known one.
    package static func record(_ event: UnreadableEvent, room: Int64?, _ db: Database) throws -> (
        id: Int64, isNew: Bool
    ) {
        let (payload, reason) = try kept(event.payload, event.reason, db)
        let known = try Int64.fetchOne(
            db,
            sql: """
                UPDATE failure SET count = count + 1, last_at_us = max(last_at_us, ?)
                WHERE ifnull(room_id, 0) = ? AND ifnull(remote_id, payload) = ?
                RETURNING id
                """,
            arguments: [
                event.receivedAt.microseconds, room ?? 0,
                event.remoteID?.databaseValue ?? payload.databaseValue,
            ])
        if let known { return (known, false) }
        try db.execute(
            sql: """
                INSERT INTO failure (room_id, session_id, remote_id, payload, reason, first_at_us, last_at_us)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                room, event.session?.rawValue, event.remoteID, payload, reason,
                event.receivedAt.microseconds, event.receivedAt.microseconds,
            ])
        return (db.lastInsertedRowID, true)
    }

    /// Returns the payload and the reason to keep: nothing that can be read if they were forgotten.
    private static func kept(_ payload: [UInt8], _ reason: String, _ db: Database) throws -> (Data, String) {
        let payload = Data(payload)
        return try ForgottenBook(db).digest(words: payload, db).map { ($0, "forgotten") } ?? (payload, reason)
    }

    /// Removes the payload that was kept for a message that could not be stored.
    static func wipe(_ remoteID: String, room: Int64, _ db: Database) throws {
        try db.withSecureDelete {
            try db.cachedStatement(
                sql: """
                    UPDATE failure SET payload = x'' WHERE ifnull(room_id, 0) = ? AND ifnull(remote_id, payload) = ?
                      AND payload <> x''
                    """
            ).execute(arguments: [room, remoteID])
        }
    }

    /// Stores a failure of another archive. A known one gets the larger count and the later time.
    package static func importFailure(_ record: FailureRecord, room: Int64?, _ db: Database) throws {
        let (payload, reason) = try kept(record.payload, record.reason.withoutNUL, db)
        let remoteID = record.remoteID?.withoutNUL
        let known = try Int64.fetchOne(
            db,
            sql: "SELECT id FROM failure WHERE ifnull(room_id, 0) = ? AND ifnull(remote_id, payload) = ?",
            arguments: [room ?? 0, remoteID?.databaseValue ?? payload.databaseValue])
        if let known {
            try db.execute(
                sql: """
                    UPDATE failure SET count = max(count, ?2), last_at_us = max(last_at_us, ?3)
                    WHERE id = ?1 AND (count < ?2 OR last_at_us < ?3)
                    """,
                arguments: [known, record.count, record.lastAt.microseconds])
            return
        }
        try db.execute(
            sql: """
                INSERT INTO failure (room_id, remote_id, payload, reason, first_at_us, last_at_us, count)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                room, remoteID, payload, reason, record.firstAt.microseconds,
                record.lastAt.microseconds, max(1, record.count),
            ])
    }

    /// Returns the live rooms, to which an event of unknown room could belong.
    static func liveRooms(session: SessionID?, _ db: Database) throws -> [Int64] {
        guard let session else { return [] }
        return try Int64.fetchAll(
            db, sql: "SELECT room_id FROM coverage WHERE session_id = ? AND to_us IS NULL",
            arguments: [session.rawValue])
    }

    /// Returns the failure to record for an event that the store refused; nil for an event without content, whose
    /// refusal is our own mistake.
    static func describe(_ event: ChatEvent, error: DatabaseError) -> UnreadableEvent? {
        let reason = "the archive could not store the event: \(error.message)"
        func kept(_ text: String, _ session: SessionID?, _ room: RoomReference?, _ time: Timestamp) -> UnreadableEvent {
            UnreadableEvent(
                session: session, room: room, remoteID: nil, receivedAt: time, payload: Array(text.utf8), reason: reason
            )
        }
        switch event {
        case .message(let message, let hearing):
            // Only an event from history has an instant, because history brings it again.
            let isHistory = hearing == .snapshot || hearing.isReplay
            return UnreadableEvent(
                session: message.session, room: message.room, remoteID: message.remoteID,
                receivedAt: message.plausibleTime, instant: isHistory ? message.plausibleTime : nil,
                payload: Array(payload(of: message)), reason: reason)
        case .chunk(let chunk):
            return UnreadableEvent(
                session: chunk.session, room: nil, remoteID: "\(chunk.session.rawValue):\(chunk.offset)",
                receivedAt: chunk.receivedAt, payload: chunk.bytes, reason: reason)
        case .userRenamed(let session, let key, let user, let time):
            return kept("\(key) is now \(user.name)", session, nil, time)
        case .roomRenamed(let session, let key, let room, let time):
            return kept("\(key) is now \(room.name)", session, nil, time)
        case .deleted(let deletion):
            return kept("\(deletion.remoteID) is deleted", deletion.session, deletion.room, deletion.receivedAt)
        case .reaction(let reaction):
            return kept(
                "\(reaction.sender.name) reacts to \(reaction.target): \(reaction.text)", reaction.session,
                reaction.room,
                reaction.receivedAt)
        case .unreadable, .parsed, .reached, .signOfLife, .sessionOpened, .receiptOffset, .networkClock, .fetchedBack,
            .roomLive, .roomSilent, .withdrawn, .roomUncovered, .covered, .roomListed, .roomUnlisted, .userListed,
            .membersListed, .sessionEnded, .waiting, .unfilled, .roomTroubled, .read, .fetching, .fetched:
            return nil
        }
    }

    /// Removes the failures of a room that came last before an instant, in microseconds since 1970.
    package static func remove(room: Int64, before end: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM failure WHERE room_id = ? AND last_at_us < ?")
            .execute(arguments: [room, end])
    }

    private static func payload(of message: IncomingMessage) -> Data {
        if let raw = message.raw { return Data(raw) }
        var fields = ["kind": message.kind.rawValue, "room": message.room.name]
        fields["sender"] = message.sender?.name
        fields["body"] = message.body
        fields["source_time"] = message.sourceTime?.description
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(fields)) ?? Data((message.body ?? "").utf8)
    }
}
