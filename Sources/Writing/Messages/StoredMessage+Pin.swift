import ChatModel
import SQLite

/// Decides which messages are pinned, from imports.
extension StoredMessage {
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
