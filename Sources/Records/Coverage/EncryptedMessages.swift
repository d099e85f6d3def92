import ChatModel
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
