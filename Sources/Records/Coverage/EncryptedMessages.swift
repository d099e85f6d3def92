package import ChatModel
package import Schema

/// The messages of a room of which only the ciphertext is known.
package struct EncryptedMessages {
    package var count: Int64
    var first: Timestamp?
    var last: Timestamp?

    /// An SQL condition, that of their index.
    package static let condition =
        "flags & \(MessageFlags.encrypted.rawValue) != 0 AND body IS NULL AND deleted_at_us IS NULL"

    /// An SQL condition for the bytes of a message that the archive has in another form as well: those that a listener
    /// received, unless they are ciphertext.
    package static let hasOtherForm =
        "EXISTS (SELECT 1 FROM message WHERE id = message_id AND session_id IS NOT NULL AND NOT (\(condition)))"

    /// Reads the index of a room's encrypted messages.
    package static func read(room: Int64, _ db: ReadTransaction) throws -> EncryptedMessages? {
        try db.first(
            "SELECT count(*), min(id), max(id) FROM message \(.indexed("message_encrypted")) WHERE room_id = ?1 AND \(condition)",
            [.integer(room)]
        ) { row in
            try EncryptedMessages(count: row.integer(0), first: row.optionalTime(1), last: row.optionalTime(2))
        }
    }
}

extension EncryptedMessages {
    /// Returns the rooms with messages of which only the ciphertext is known.
    package static func rooms(_ db: ReadTransaction) throws -> [RoomReference] {
        try db.all(
            """
            SELECT key, name, kind FROM room JOIN room_name ON room_id = room.id AND last_seen_us IS NULL
            WHERE EXISTS (SELECT 1 FROM message \(.indexed("message_encrypted")) WHERE room_id = room.id AND \(condition))
            ORDER BY room.id
            """
        ) { row in
            try RoomReference(
                key: row.text(0), name: row.text(1), kind: RoomReference.Kind(rawValue: row.text(2)) ?? .channel)
        }
    }
}

extension EncryptedMessage {
    /// Returns the earliest messages after a message of which only the ciphertext is known, in order of time.
    ///
    /// - Parameters:
    ///   - key: The key of their room; nil for those of all rooms.
    ///   - areDecrypted: True for those whose text is known, too.
    package static func read(
        room key: String?, after: MessageID?, limit: Int, areDecrypted: Bool, _ db: ReadTransaction
    ) throws -> [EncryptedMessage] {
        let condition =
            areDecrypted
            ? "flags & \(MessageFlags.encrypted.rawValue) != 0 AND body IS NOT NULL" : EncryptedMessages.condition
        var source: SQLText = "FROM message \(.notIndexed) WHERE id > ?1 AND \(condition)"
        if key != nil {
            // Each index of a room has its messages in the order of their ids.
            let index: SQLText = areDecrypted ? .indexed("message_room") : .indexed("message_encrypted")
            let others = areDecrypted ? "AND noise = 0" : ""
            source = """
                FROM message \(index) WHERE room_id = \(MergeBook.room(key: "?3")) \(others) AND id > ?1 AND \(condition)
                """
        }
        return try db.all(
            """
            SELECT m.id, room.key, room_name.name, room.kind, user.key, user_name.name, m.remote_id,
              ifnull(m.source_time_us, m.id), message_raw.bytes
            FROM (SELECT * \(source) AND remote_id IS NOT NULL ORDER BY id) AS m
              JOIN room ON room.id = m.room_id
              JOIN room_name ON room_name.room_id = room.id AND room_name.last_seen_us IS NULL
              JOIN user ON user.id = m.sender_id
              JOIN user_name ON user_name.user_id = user.id AND user_name.last_seen_us IS NULL
              JOIN message_raw ON message_raw.message_id = m.id AND message_raw.at_us = m.id
            WHERE user.key IS NOT NULL ORDER BY m.id LIMIT ?2
            """,
            [.integer(after?.microseconds ?? .min), .integer(Int64(limit))] + (key.map { [.text($0)] } ?? [])
        ) { row in try EncryptedMessage(row) }
    }

    private init(_ row: Columns) throws {
        try self.init(
            id: row.messageID(0),
            room: RoomReference(
                key: row.text(1), name: row.text(2), kind: RoomReference.Kind(rawValue: row.text(3)) ?? .channel),
            sender: UserReference(key: row.text(4), name: row.text(5), isSelf: false), remoteID: row.text(6),
            time: row.time(7), raw: Array(row.bytes(8)))
    }
}
