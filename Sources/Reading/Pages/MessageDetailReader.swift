import Accounts
import ChatModel
import Records
import Schema

/// Reads one message with everything around it. Use it within one read transaction.
struct MessageDetailReader {
    let account: AccountIdentity
    let gaps: GapReader
    /// The bytes of versions after which earlier versions are left out.
    let versionBytes: Int

    /// Returns the message's details; nil if the account has no such message.
    func detail(of id: MessageID, _ db: ReadTransaction) throws -> MessageDetail? {
        guard let message = try readMessage(id, names: .then, db), let today = try readMessage(id, names: .now, db)
        else { return nil }
        let session = try db.integer(
            "SELECT session_id FROM message WHERE id = ?1", [.integer(id.microseconds)])
        let (versions, isCut) = try versions(of: message, db)
        var detail = MessageDetail(
            message: message, roomNow: today.room, senderNow: today.sender?.name, versions: versions,
            areVersionsCut: isCut,
            raw: try raw(of: message, db) ?? session.map { try Journal.raw(of: message, session: $0, db) }
                ?? .missing(.notKept),
            retraction: try retraction(of: message, db),
            session: try session.flatMap { try MessageDetail.Session.read($0, db) },
            coverage: try gaps.coverage(around: id.microseconds, room: message.roomID, db))
        detail.pictureNow = today.sender?.picture
        return detail
    }

    /// Returns the bytes of the message's current version, on networks whose messages are kept one by one; else nil.
    private func raw(of message: Message, _ db: ReadTransaction) throws -> MessageDetail.Raw? {
        try db.first(
            """
            SELECT substr(bytes, 1, \(MessageDetail.Raw.limit)), length(bytes) FROM message_raw
            WHERE message_id = ?1 ORDER BY at_us DESC LIMIT 1
            """, [.integer(message.id.microseconds)]
        ) { row in try .bytes(row.blob(0), length: row.integer(1)) }
    }

    private func retraction(of message: Message, _ db: ReadTransaction) throws -> MessageDetail.Retraction? {
        guard message.deletedAt != nil else { return nil }
        guard db.rooms == nil else {
            let name = PageReader.name("user_name", "user_id = retraction.user_id", at: "retraction.at_us")
            return try db.first(
                "SELECT \(name), reason FROM retraction WHERE room_id = ?1 AND remote_id = ?2",
                [.integer(message.roomID), .text(message.remoteID)]
            ) { row in try MessageDetail.Retraction(by: row.optionalText(0), reason: row.optionalText(1)) }
        }
        return try db.first(
            """
            SELECT name, reason FROM retraction
              LEFT JOIN user_name ON user_name.user_id = retraction.user_id AND last_seen_us IS NULL
            WHERE room_id = ?1 AND remote_id = ?2
            """, [.integer(message.roomID), .text(message.remoteID)]
        ) { row in try MessageDetail.Retraction(by: row.optionalText(0), reason: row.optionalText(1)) }
    }

    /// Returns the versions in order of time, and true if earlier ones are left out.
    private func versions(
        of message: Message, _ db: ReadTransaction
    ) throws -> (versions: [MessageDetail.Version], isCut: Bool) {
        var versions = [MessageDetail.Version(at: message.editedAt ?? message.id.time, body: message.body)]
        var left = versionBytes - message.weight
        let sender = message.via == nil ? nil : message.sender?.id
        let bridge = try sender.flatMap { try MessageExtras.bridges(of: [$0], db)[$0] }
        let isCut = try db.first(
            "SELECT at_us, body FROM message_version WHERE message_id = ?1 ORDER BY at_us DESC",
            [.integer(message.id.microseconds)]
        ) { row -> Bool? in
            let body = try row.optionalText(1).map { bridge?.text(of: $0) ?? $0 }
            let version = try MessageDetail.Version(at: row.time(0), body: body)
            left -= 128 + (version.body?.utf8.count ?? 0)
            guard left >= 0 else { return true }
            versions.append(version)
            return nil
        }
        return (versions.reversed(), isCut ?? false)
    }

    private func readMessage(_ id: MessageID, names: MessageQuery.Names, _ db: ReadTransaction) throws -> Message? {
        let query = try MessageQuery(scope: .accounts([account.name]), limit: 1, names: names)
        return try PageReader(account: account, query: query).forward(
            from: id.time.advanced(byMicroseconds: -1).microseconds,
            before: id.time.advanced(byMicroseconds: 1).microseconds, count: 1, db
        ).first
    }
}

extension MessageDetail.Session {
    fileprivate static func read(_ id: Int64, _ db: ReadTransaction) throws -> MessageDetail.Session? {
        try db.first(
            """
            SELECT started_at_us - ahead_us, last_sign_of_life_us - ahead_us, ended_at_us - ahead_us, reason, detail
            FROM session WHERE id = ?1
            """, [.integer(id)]
        ) { row in
            try MessageDetail.Session(
                id: SessionID(rawValue: id), startedAt: row.time(0), lastSignOfLife: row.time(1),
                endedAt: row.optionalTime(2), reason: row.optionalText(3), detail: row.optionalText(4))
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
        for id: MessageID, in reader: AccountReader, read: (ReadTransaction) throws -> Found?
    ) throws {
        let (value, nearest) = try reader.read { db -> (Found?, (before: MessageID?, after: MessageID?)) in
            guard db.rooms != nil else { return (try read(db), try Self.nearest(to: id, db)) }
            // The ids of messages near by would show when others wrote.
            let room = try db.integer("SELECT room_id FROM message WHERE id = ?1", [.integer(id.microseconds)])
            return (try room.flatMap { db.sees($0) ? try read(db) : nil }, (before: nil, after: nil))
        }
        if let value { found.append((reader.account.name, value)) }
        if let id = nearest.before, before.map({ $0.id < id }) ?? true {
            before = MessagePlace(id: id, account: reader.account.name)
        }
        if let id = nearest.after, after.map({ $0.id > id }) ?? true {
            after = MessagePlace(id: id, account: reader.account.name)
        }
    }

    /// Returns the ids of the messages next to an instant.
    private static func nearest(
        to id: MessageID, _ db: ReadTransaction
    ) throws -> (before: MessageID?, after: MessageID?) {
        let place = [SQLArgument.integer(id.microseconds)]
        let before = try db.first("SELECT id FROM message WHERE id < ?1 ORDER BY id DESC LIMIT 1", place) { row in
            try row.messageID(0)
        }
        let after = try db.first("SELECT id FROM message WHERE id > ?1 ORDER BY id LIMIT 1", place) { row in
            try row.messageID(0)
        }
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
