import ChatModel
import GRDB

/// Updates which messages are pinned, from imports.
extension StoredMessage {
    /// Notes whether the message is pinned. Returns true if that changed.
    func updatePin(from message: ImportedMessage, _ db: Database) throws -> Bool {
        guard let isPinned = try pinChange(by: message, db) else { return false }
        let flags = isPinned ? "flags | ?1" : "flags & ~?1"
        try db.cachedStatement(sql: "UPDATE message SET flags = \(flags) WHERE id = ?2")
            .execute(arguments: [MessageFlags.pinned.rawValue, id])
        try Feed.edit(messageID: id, db)
        return true
    }

    /// Returns the new state; nil if the import does not change it.
    ///
    /// An export that gives the state of every message changes it in both directions, unless the room has a message
    /// later than the export, because a later export may have given another state. Other sources only add pins.
    func pinChange(by message: ImportedMessage, _ db: Database) throws -> Bool? {
        let isPinned = message.flags.contains(.pinned)
        guard isPinned != self.isPinned else { return nil }
        guard let exported = message.pinsAt else { return isPinned ? true : nil }
        let later = try db.cachedStatement(
            sql: "SELECT 1 FROM message WHERE room_id = ? AND noise IN (0, 1) AND id > ? LIMIT 1")
        return try Int64.fetchOne(later, arguments: [room, exported.microseconds]) == nil ? isPinned : nil
    }
}
