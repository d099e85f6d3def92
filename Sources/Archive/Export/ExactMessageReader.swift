import ChatModel
import Foundation
import GRDB

/// Reads the details of messages that a full export has and a page lacks, with one statement for each kind of row.
struct ExactMessageReader {
    /// The ids as a JSON array, which SQLite takes apart.
    private let ids: String

    init(ids: [MessageID]) {
        self.ids = "[" + ids.map { String($0.microseconds) }.joined(separator: ",") + "]"
    }

    /// Reads people by their row, each once.
    private struct People {
        let db: Database
        private var known: [Int64: UserIdentity] = [:]

        init(_ db: Database) { self.db = db }

        mutating func identity(_ user: Int64?, key: String?) throws -> UserIdentity? {
            guard let user else { return nil }
            if let key { return .key(key) }
            if let known = known[user] { return known }
            known[user] = try UserIdentity.read(user, db)
            return known[user]
        }
    }

    func read(_ db: Database) throws -> [MessageID: ExactMessage] {
        var found: [MessageID: ExactMessage] = [:]
        var people = People(db)
        try each(
            """
            SELECT message.id, source_time_us, room.key, room.kind, sender_id, user.key, ifnull(is_self, 0)
            FROM json_each(?) CROSS JOIN message ON message.id = value JOIN room ON room.id = room_id
              LEFT JOIN user ON user.id = sender_id
            """, db
        ) { id, row in
            found[id] = try ExactMessage(
                sourceTime: row.claim(1), roomKey: row.value(2),
                roomKind: RoomReference.Kind(rawValue: row.value(3)) ?? .channel,
                sender: people.identity(row.value(4), key: row.value(5)), senderIsSelf: row.value(6))
        }
        try each(
            """
            SELECT message_id, at_us, body FROM json_each(?) CROSS JOIN message_version ON message_id = value
            ORDER BY message_id, at_us
            """, db
        ) { id, row in
            found[id]?.versions.append(try .init(at: row.value(1), body: row.value(2)))
        }
        try each(
            """
            SELECT \(Attachment.columns) FROM json_each(?) AS ids CROSS JOIN \(Attachment.tables)
            WHERE message_id = ids.value ORDER BY message_id, attachment.id
            """, db
        ) { id, row in
            let file = try Attachment(row)
            found[id]?.files.append(
                .init(path: file.path, bytes: file.size, sha256: file.sha256, state: file.state.rawValue))
        }
        try each(
            """
            SELECT message.id, text, at_us, removed_at_us, own_id, user_id, user.key
            FROM json_each(?) CROSS JOIN message ON message.id = value
              CROSS JOIN reaction ON reaction.room_id = message.room_id AND reaction.remote_id = message.remote_id
              JOIN user ON user.id = user_id
            ORDER BY message.id, at_us, text, user_id
            """, db
        ) { id, row in
            guard let user = try people.identity(row.value(5), key: row.value(6)) else { return }
            found[id]?.reactions.append(
                try .init(
                    text: row.value(1), user: user, at: row.value(2), removedAt: row.value(3), ownID: row.value(4)))
        }
        return found
    }

    private func each(_ sql: String, _ db: Database, _ body: (MessageID, Row) throws -> Void) throws {
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [ids])
        while let row = try rows.next() { try body(row.value(0), row) }
    }
}
