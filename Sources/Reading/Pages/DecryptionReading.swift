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
        try reading.collect(of: [account], into: []) { messages, reader in
            messages += try reader.read { db in
                try EncryptedMessage.read(room: nil, after: after, limit: limit, areDecrypted: areDecrypted, db)
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
