import Accounts
package import ChatModel
import Records
import Schema

/// Reads what the decryption of stored messages needs.
package struct DecryptionReading: Sendable {
    package let reading: ArchiveReading

    /// Returns the earliest messages after a message of which only the ciphertext is known, in order of time.
    ///
    /// - Parameter areDecrypted: True for those whose text is known, too.
    package func encryptedMessages(
        account: String, after: MessageID?, limit: Int, areDecrypted: Bool = false
    ) throws -> [EncryptedMessage] {
        let condition =
            areDecrypted
            ? "flags & \(MessageFlags.encrypted.rawValue) != 0 AND body IS NOT NULL" : EncryptedMessages.condition
        return try reading.collect(of: [account], into: []) { messages, reader in
            messages += try reader.read { db in
                try db.all(
                    """
                    SELECT m.id, room.key, room_name.name, room.kind, user.key, user_name.name, m.remote_id,
                      ifnull(m.source_time_us, m.id), message_raw.bytes
                    FROM (SELECT * FROM message \(.notIndexed) WHERE id > ?1 AND \(condition)
                        AND remote_id IS NOT NULL ORDER BY id) AS m
                      JOIN room ON room.id = m.room_id
                      JOIN room_name ON room_name.room_id = room.id AND room_name.last_seen_us IS NULL
                      JOIN user ON user.id = m.sender_id
                      JOIN user_name ON user_name.user_id = user.id AND user_name.last_seen_us IS NULL
                      JOIN message_raw ON message_raw.message_id = m.id AND message_raw.at_us = m.id
                    WHERE user.key IS NOT NULL ORDER BY m.id LIMIT ?2
                    """, [.integer(after?.microseconds ?? .min), .integer(Int64(limit))]
                ) { row in
                    try EncryptedMessage(
                        id: row.messageID(0),
                        room: RoomReference(
                            key: row.text(1), name: row.text(2),
                            kind: RoomReference.Kind(rawValue: row.text(3)) ?? .channel),
                        sender: UserReference(key: row.text(4), name: row.text(5), isSelf: false),
                        remoteID: row.text(6), time: row.time(7), raw: Array(row.bytes(8)))
                }
            }
        }.result
    }

    /// Returns the network's time of a message, its kind and its sender's key; nil if it is not stored.
    package func origin(
        of remoteID: String, room key: String, account: String
    ) throws -> (time: Timestamp, kind: MessageKind, sender: String?)? {
        try reading.collect(of: [account], into: []) { found, reader in
            found += try reader.read { db in
                try db.all(
                    """
                    SELECT ifnull(source_time_us, message.id), kind, user.key FROM message
                      LEFT JOIN user ON user.id = sender_id
                    WHERE room_id = \(MergeBook.room(key: "?1")) AND remote_id = ?2
                    """, [.text(key), .text(remoteID)]
                ) { try (time: $0.time(0), kind: MessageKind(code: $0.integer(1)), sender: $0.optionalText(2)) }
            }
        }.result.first
    }
}
