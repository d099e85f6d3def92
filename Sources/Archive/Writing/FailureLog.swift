import ChatModel
import Foundation
import GRDB

/// Keeps what could not be stored or understood, each once, with its payload.
enum FailureLog {
    /// A row of `failure`; met again, its count rises.
    static func record(_ event: UnreadableEvent, room: Int64?, _ db: Database) throws -> (id: Int64, isNew: Bool) {
        let payload = Data(event.payload)
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
                room, event.session?.rawValue, event.remoteID, payload, event.reason,
                event.receivedAt.microseconds, event.receivedAt.microseconds,
            ])
        return (db.lastInsertedRowID, true)
    }

    /// Where an event of unknown room could have belonged.
    static func liveRooms(session: SessionID?, _ db: Database) throws -> [Int64] {
        guard let session else { return [] }
        return try Int64.fetchAll(
            db, sql: "SELECT room_id FROM coverage WHERE session_id = ? AND to_us IS NULL",
            arguments: [session.rawValue])
    }

    /// What to keep of an event that the store refused; nil for events without content, whose error is our own mistake.
    static func describe(_ event: ChatEvent, error: DatabaseError) -> UnreadableEvent? {
        let reason = "the store refused it: \(error.message ?? "error \(error.resultCode.rawValue)")"
        switch event {
        case .message(let message, let hearing):
            // History brings it again.
            let isOfHistory = hearing == .snapshot || hearing.isReplay
            return UnreadableEvent(
                session: message.session, room: message.room, remoteID: message.remoteID,
                receivedAt: message.believedTime, instant: isOfHistory ? message.believedTime : nil,
                payload: Array(payload(of: message)), reason: reason)
        case .chunk(let chunk):
            return UnreadableEvent(
                session: chunk.session, room: nil, remoteID: "\(chunk.session.rawValue):\(chunk.offset)",
                receivedAt: chunk.receivedAt, payload: chunk.bytes, reason: reason)
        case .userRenamed(let session, let key, let user, let time):
            return UnreadableEvent(
                session: session, room: nil, remoteID: nil, receivedAt: time,
                payload: Array("\(key) is now \(user.name)".utf8), reason: reason)
        case .roomRenamed(let session, let key, let room, let time):
            return UnreadableEvent(
                session: session, room: nil, remoteID: nil, receivedAt: time,
                payload: Array("\(key) is now \(room.name)".utf8), reason: reason)
        case .deleted(let deletion):
            return UnreadableEvent(
                session: deletion.session, room: deletion.room, remoteID: nil, receivedAt: deletion.receivedAt,
                payload: Array("\(deletion.remoteID) is deleted".utf8), reason: reason)
        case .reaction(let reaction):
            return UnreadableEvent(
                session: reaction.session, room: reaction.room, remoteID: nil, receivedAt: reaction.receivedAt,
                payload: Array("\(reaction.sender.name) reacts to \(reaction.target): \(reaction.text)".utf8),
                reason: reason)
        case .unreadable, .parsed, .signOfLife, .sessionOpened, .receiptOffset, .clockTold, .askedBack, .roomLive,
            .roomSilent, .unproven, .roomUncovered, .covered, .roomListed, .roomUnlisted, .userListed, .membersListed,
            .sessionEnded, .waiting, .unfilled, .roomTroubled:
            return nil
        }
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

extension DatabaseError {
    /// The disk's or the process's trouble, not the event's: it may go away by itself, and nothing may be given up for it.
    var isTroubleOfTheStore: Bool {
        switch resultCode.primaryResultCode {
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_NOMEM, .SQLITE_CORRUPT,
            .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_NOTADB, .SQLITE_PROTOCOL, .SQLITE_INTERRUPT:
            true
        default:
            false
        }
    }
}
