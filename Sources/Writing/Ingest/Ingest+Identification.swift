import Records
package import SQLite

extension Ingest {
    /// Gives the network's id to a message that was imported without one. No message of its room may have the id.
    ///
    /// - Returns: The message with the id.
    package mutating func identify(
        _ message: StoredMessage, as remoteID: String, _ db: Database
    ) throws -> StoredMessage {
        try texts.matcher.noteID(of: message)
        try db.cachedStatement(sql: "UPDATE message SET remote_id = ? WHERE id = ?")
            .execute(arguments: [remoteID, message.id])
        // A reaction may have come before, because it names the id.
        if reactions.hasAny { _ = try texts.noteReactions(of: [message.id], db) }
        try Feed.edit(messageID: message.id, db)
        return try StoredMessage.find(at: message.id, db) ?? message
    }
}
