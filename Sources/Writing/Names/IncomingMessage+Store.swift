import ChatModel
import FoundationEssentials
import Records
import SQLite

extension IncomingMessage {
    /// The network's time if it gives one that can be true, or else the time of receipt.
    var plausibleTime: Timestamp { sourceTime?.plausible(at: receivedAt) ?? receivedAt }

    /// The message with a time of its edit: the network's time, or else the time of receipt.
    var edited: IncomingMessage {
        var copy = self
        copy.editedAt = editedAt ?? receivedAt
        return copy
    }
}

/// The rows that are stored with a message.
extension IncomingMessage {
    /// The size in bytes up to which a message uses a cached statement. Nearly all messages are shorter.
    private static let shortRaw = 16 * 1024

    /// Stores the bytes that the network sent for the message's text, which began at `time`. Stored bytes stay.
    func storeRaw(as id: Int64, since time: Int64, _ db: Database) throws {
        guard let raw else { return }
        let sql = "INSERT INTO message_raw (message_id, at_us, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        // A cached statement keeps the last stored bytes in memory.
        let statement = try raw.count > Self.shortRaw ? db.makeStatement(sql: sql) : db.cachedStatement(sql: sql)
        try statement.execute(arguments: [id, time, Data(raw)])
    }

    /// Stores the message's files.
    ///
    /// - Returns: The places of those that are new.
    func storeFiles(as id: Int64, _ db: Database) throws -> [String] {
        try attachments.filter { try NewAttachment(path: $0).store(as: id, db) }
    }
}

extension MessageDeletion {
    /// The network's time if it gives one that can be true, or else the time of receipt.
    var plausibleTime: Timestamp { sourceTime?.plausible(at: receivedAt) ?? receivedAt }
}
