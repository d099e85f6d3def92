import ChatModel
import Records
import Schema

/// Reads the details of messages that a full export has and a page lacks, with one statement for each kind of row. Reads
/// no row of a message again.
struct ExactMessageReader {
    private let messages: [Message]
    private let ids: SQLArgument

    /// - Parameter messages: The messages with their attachments and the names of their time.
    init(_ messages: [Message]) {
        (self.messages, ids) = (messages, .list(messages.map(\.id.microseconds)))
    }

    /// Reads people by their row, each once.
    private struct People {
        let db: ReadTransaction
        private var known: [Int64: UserIdentity] = [:]

        init(_ db: ReadTransaction) { self.db = db }

        mutating func identity(_ user: Int64?, key: String?) throws -> UserIdentity? {
            guard let user else { return nil }
            if let key { return .key(key) }
            if let known = known[user] { return known }
            known[user] = try UserIdentity.read(user, db)
            return known[user]
        }
    }

    /// Returns the details by the messages' ids.
    func details(_ db: ReadTransaction) throws -> [MessageID: ExactMessage] {
        var people = People(db)
        var found = try placed(&people, db)
        let there = try db.first(
            "SELECT EXISTS (SELECT 1 FROM message_version), EXISTS (SELECT 1 FROM reaction)"
        ) { row in try (versions: row.bool(0), reactions: row.bool(1)) }
        if there?.versions ?? false { try readVersions(&found, db) }
        if there?.reactions ?? false { try readReactions(&found, &people, db) }
        return found
    }

    /// Returns the messages with their rooms, senders and files.
    private func placed(_ people: inout People, _ db: ReadTransaction) throws -> [MessageID: ExactMessage] {
        let (rooms, keys) = (try rooms(db), try keys(db))
        var found: [MessageID: ExactMessage] = [:]
        found.reserveCapacity(messages.count)
        for message in messages {
            guard let room = rooms[message.roomID] else { continue }
            let sender = message.sender
            found[message.id] = ExactMessage(
                sourceTime: message.sourceTime, roomKey: room.key, roomKind: room.kind,
                sender: try people.identity(sender?.id, key: sender.flatMap { keys[$0.id] }),
                senderIsSelf: sender?.isSelf ?? false, files: message.attachments.map(ExactMessage.File.init))
        }
        return found
    }

    private func rooms(_ db: ReadTransaction) throws -> [Int64: (key: String, kind: RoomReference.Kind)] {
        var rooms: [Int64: (key: String, kind: RoomReference.Kind)] = [:]
        let list = SQLArgument.list(Set(messages.map(\.roomID)).sorted())
        try db.forEach(
            "SELECT room.id, room.key, room.kind FROM \(.each(1)) \(.crossJoin) room ON room.id = value", [list]
        ) { row in
            rooms[try row.integer(0)] = try (row.text(1), RoomReference.Kind(rawValue: row.text(2)) ?? .channel)
        }
        return rooms
    }

    /// Returns the keys of the senders, by their numbers; none for a person who lost the key.
    private func keys(_ db: ReadTransaction) throws -> [Int64: String] {
        var keys: [Int64: String] = [:]
        let list = SQLArgument.list(Set(messages.compactMap(\.sender?.id)).sorted())
        try db.forEach(
            "SELECT u.id, u.key FROM \(.each(1)) \(.crossJoin) \"user\" AS u ON u.id = value", [list]
        ) { row in keys[try row.integer(0)] = try row.optionalText(1) }
        return keys
    }

    private func readVersions(_ found: inout [MessageID: ExactMessage], _ db: ReadTransaction) throws {
        try each(
            """
            SELECT message_id, at_us, body FROM \(.each(1)) \(.crossJoin) message_version ON message_id = value
            ORDER BY message_id, at_us
            """, db
        ) { id, row in
            found[id]?.versions.append(try .init(at: row.time(1), body: row.optionalText(2)))
        }
    }

    private func readReactions(
        _ found: inout [MessageID: ExactMessage], _ people: inout People, _ db: ReadTransaction
    ) throws {
        try each(
            """
            SELECT message.id, text, at_us, removed_at_us, own_id, user_id, "user".key
            FROM \(.each(1)) \(.crossJoin) message ON message.id = value
              \(.crossJoin) reaction ON reaction.room_id = message.room_id AND reaction.remote_id = message.remote_id
              JOIN "user" ON "user".id = user_id
            ORDER BY message.id, at_us, text, user_id
            """, db
        ) { id, row in
            guard let user = try people.identity(row.integer(5), key: row.optionalText(6)) else { return }
            found[id]?.reactions.append(
                try .init(
                    text: row.text(1), user: user, at: row.time(2), removedAt: row.optionalTime(3),
                    ownID: row.optionalText(4)))
        }
    }

    private func each(
        _ sql: SQLText, _ db: ReadTransaction, _ body: (MessageID, Columns) throws -> Void
    ) throws {
        try db.forEach(sql, [ids]) { row in try body(row.messageID(0), row) }
    }
}

extension ExactMessage.File {
    fileprivate init(_ file: Attachment) {
        self.init(path: file.path, bytes: file.size, sha256: file.sha256, state: file.state.rawValue)
    }
}
