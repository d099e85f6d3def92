import ChatModel
import Records
import Schema

/// Reads the details of messages that a full export has and a page lacks, with one statement for each kind of row.
struct ExactMessageReader {
    private let ids: SQLArgument

    init(ids: [MessageID]) {
        self.ids = .list(ids.map(\.microseconds))
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

    /// Returns the details of the messages that exist, by their ids.
    func details(_ db: ReadTransaction) throws -> [MessageID: ExactMessage] {
        var found: [MessageID: ExactMessage] = [:]
        var people = People(db)
        try readMessages(&found, &people, db)
        try readVersions(&found, db)
        try readFiles(&found, db)
        try readReactions(&found, &people, db)
        return found
    }

    private func readMessages(
        _ found: inout [MessageID: ExactMessage], _ people: inout People, _ db: ReadTransaction
    ) throws {
        try each(
            """
            SELECT message.id, source_time_us, room.key, room.kind, sender_id, "user".key, coalesce(is_self, 0)
            FROM \(.each(1)) \(.crossJoin) message ON message.id = value JOIN room ON room.id = room_id
              LEFT JOIN "user" ON "user".id = sender_id
            """, db
        ) { id, row in
            found[id] = try ExactMessage(
                sourceTime: row.claim(1), roomKey: row.text(2),
                roomKind: RoomReference.Kind(rawValue: row.text(3)) ?? .channel,
                sender: people.identity(row.optionalInteger(4), key: row.optionalText(5)), senderIsSelf: row.bool(6))
        }
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

    private func readFiles(_ found: inout [MessageID: ExactMessage], _ db: ReadTransaction) throws {
        try each(
            """
            SELECT \(Attachment.columns)
            FROM \(.each(1, as: "ids")) \(.crossJoin) attachment ON message_id = ids.value \(Attachment.joins)
            ORDER BY message_id, attachment.id
            """, db
        ) { id, row in
            let file = try Attachment(row)
            found[id]?.files.append(
                .init(path: file.path, bytes: file.size, sha256: file.sha256, state: file.state.rawValue))
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
