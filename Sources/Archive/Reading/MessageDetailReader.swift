import ChatModel
import Foundation
import GRDB

/// Reads one message with everything around it. Use it within one read transaction.
struct MessageDetailReader {
    let account: AccountIdentity
    let gaps: GapReader

    /// Returns the message's details; nil if the account has no such message.
    func detail(of id: MessageID, _ db: Database) throws -> MessageDetail? {
        guard let message = try read(id, names: .then, db), let today = try read(id, names: .now, db) else {
            return nil
        }
        let session = try Int64.fetchOne(
            db, sql: "SELECT session_id FROM message WHERE id = ?", arguments: [id.microseconds])
        return MessageDetail(
            message: message, roomNow: today.room, senderNow: today.sender?.name,
            versions: try versions(of: message, db),
            raw: try raw(of: message, db) ?? session.map { try Journal.raw(of: message, session: $0, db) }
                ?? .missing(.notKept),
            retraction: try retraction(of: message, db),
            session: try session.flatMap { try MessageDetail.Session.read($0, db) },
            coverage: try gaps.coverage(around: id.microseconds, room: message.roomID, name: today.room, db))
    }

    /// Returns the bytes of the message's current version, on networks whose messages are kept one by one; else nil.
    private func raw(of message: Message, _ db: Database) throws -> MessageDetail.Raw? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT substr(bytes, 1, ?), length(bytes) FROM message_raw WHERE message_id = ? ORDER BY at_us DESC LIMIT 1
                """,
            arguments: [MessageDetail.Raw.limit, message.id.microseconds])
        return try row.map { .bytes([UInt8](try $0.value(0) as Data), length: try $0.value(1)) }
    }

    private func retraction(of message: Message, _ db: Database) throws -> MessageDetail.Retraction? {
        guard message.deletedAt != nil else { return nil }
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT name, reason FROM retraction
                  LEFT JOIN user_name ON user_name.user_id = retraction.user_id AND last_seen_us IS NULL
                WHERE room_id = ? AND remote_id = ?
                """,
            arguments: [message.roomID, message.remoteID])
        return try row.map { try MessageDetail.Retraction(by: $0.value(0), reason: $0.value(1)) }
    }

    private func versions(of message: Message, _ db: Database) throws -> [MessageDetail.Version] {
        let earlier = try Row.fetchAll(
            db, sql: "SELECT at_us, body FROM message_version WHERE message_id = ? ORDER BY at_us",
            arguments: [message.id.microseconds])
        return try earlier.map { try MessageDetail.Version(at: $0.value(0), body: $0.value(1)) }
            + [MessageDetail.Version(at: message.editedAt ?? message.id.time, body: message.body)]
    }

    private func read(_ id: MessageID, names: MessageQuery.Names, _ db: Database) throws -> Message? {
        let query = try MessageQuery(scope: .accounts([account.name]), limit: 1, names: names)
        return try PageReader(account: account, query: query).forward(
            from: id.time.advanced(byMicroseconds: -1).microseconds,
            before: id.time.advanced(byMicroseconds: 1).microseconds, count: 1, db
        ).first
    }
}

extension MessageDetail.Session {
    fileprivate static func read(_ id: Int64, _ db: Database) throws -> MessageDetail.Session? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT started_at_us - ahead_us, last_sign_of_life_us - ahead_us, ended_at_us - ahead_us, reason, detail
                FROM session WHERE id = ?
                """,
            arguments: [id])
        return try row.map { row in
            try MessageDetail.Session(
                id: SessionID(rawValue: id), startedAt: row.value(0), lastSignOfLife: row.value(1),
                endedAt: row.value(2), reason: row.value(3), detail: row.value(4))
        }
    }
}

/// A search for one id in several accounts.
struct MessageSearch<Found: Sendable & Hashable>: Sendable {
    private var found: [(account: String, value: Found)] = []
    private var before: MessagePlace?
    private var after: MessagePlace?

    /// - Parameter read: Returns the result for the id; nil if the account has no such message.
    mutating func look(
        for id: MessageID, in reader: AccountReader, access: ReadAccess, read: (Database) throws -> Found?
    ) throws {
        let account = reader.account.name
        guard access.seesAll(of: account) else {
            let value = try reader.read { db in
                let room = try Int64.first(
                    db, sql: "SELECT room_id FROM message WHERE id = ?", arguments: [id.microseconds])
                return try room.flatMap { access.sees(RoomKey(account: account, id: $0)) ? try read(db) : nil }
            }
            if let value { found.append((account, value)) }
            return
        }
        let (value, nearest) = try reader.read { db in (try read(db), try Self.nearest(to: id, db)) }
        if let value { found.append((reader.account.name, value)) }
        if let id = nearest.before, before.map({ $0.id < id }) ?? true {
            before = MessagePlace(id: id, account: reader.account.name)
        }
        if let id = nearest.after, after.map({ $0.id > id }) ?? true {
            after = MessagePlace(id: id, account: reader.account.name)
        }
    }

    /// Returns the ids of the messages next to an instant.
    private static func nearest(to id: MessageID, _ db: Database) throws -> (before: MessageID?, after: MessageID?) {
        let before = try MessageID.first(
            db, sql: "SELECT id FROM message WHERE id < ? ORDER BY id DESC LIMIT 1", arguments: [id.microseconds])
        let after = try MessageID.first(
            db, sql: "SELECT id FROM message WHERE id > ? ORDER BY id LIMIT 1", arguments: [id.microseconds])
        return (before, after)
    }

    var result: Lookup<Found> {
        switch found.count {
        case 0: .unknown(before: before, after: after)
        case 1: .found(found[0].value)
        default: .several(accounts: found.map(\.account))
        }
    }
}
