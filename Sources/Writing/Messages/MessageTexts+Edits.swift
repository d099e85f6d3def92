import ChatModel
import Records
import SQLite
import Schema

/// Takes back edits.
extension MessageTexts {
    /// Removes the text that a message had since a time, with the bytes that the network sent for it. If it is the present
    /// text, the message has the text before it again.
    ///
    /// - Parameter time: In microseconds since 1970; the first text is not removed.
    /// - Returns: False if nothing was removed.
    mutating func removeText(since time: Int64, of stored: inout StoredMessage, _ db: Database) throws -> Bool {
        guard time > stored.id, !stored.isWiped else { return false }
        let old = stored
        if time == old.since {
            let earlier: (at: Int64, body: String?)? = try db.cachedStatement(
                sql: "SELECT at_us, body FROM message_version WHERE message_id = ? ORDER BY at_us DESC LIMIT 1"
            ).first(arguments: [old.id]) { try ($0.value(0), $0.value(1)) }
            (stored.body, stored.editedAt) = (earlier?.body, earlier.flatMap { $0.at > old.id ? $0.at : nil })
        }
        let (body, editedAt, moved) = (stored.body, stored.editedAt, time == old.since ? stored.since : time)
        try db.withSecureDelete {
            try db.execute(
                sql: """
                    UPDATE message SET body = :body, edited_at_us = :edited WHERE id = :id;
                    DELETE FROM message_version WHERE message_id = :id AND at_us IN (:time, :moved);
                    DELETE FROM message_raw WHERE message_id = :id AND at_us = :time;
                    """,
                arguments: ["id": old.id, "time": time, "moved": moved, "body": body, "edited": editedAt])
        }
        try Feed.edit(messageID: old.id, db)
        matcher.forget()
        reindex(old, stored)
        return true
    }

    /// Removes files of a message.
    ///
    /// - Returns: False if the message has none of them.
    mutating func removeFiles(_ paths: [String], of stored: inout StoredMessage, _ db: Database) throws -> Bool {
        var isRemoved = false
        for path in paths {
            try db.cachedStatement(
                sql: """
                    DELETE FROM attachment WHERE message_id = ? AND file_id IN (SELECT id FROM file WHERE path = ?)
                    """
            ).execute(arguments: [stored.id, path])
            isRemoved = isRemoved || db.changesCount > 0
        }
        guard isRemoved else { return false }
        try noteFiles(of: &stored, db)
        try Feed.file(messageID: stored.id, db)
        return true
    }
}
