import Bytes
package import ChatModel
import Records
package import SQLite
import Schema

/// Compares a stored message with an imported one, to find content that the archive lacks.
extension StoredMessage {
    /// Returns true if an import of the message would add anything.
    package func lacks(_ message: ImportedMessage, names: inout NameBook, _ db: Database) throws -> Bool {
        if message.hasFiles, !isWiped || message.isWiped {
            let there = Set(
                try String.fetchAll(
                    db, sql: "SELECT path FROM attachment JOIN file ON file.id = file_id WHERE message_id = ?",
                    arguments: [id]
                ).map(ExactString.init))
            if message.storedFiles.contains(where: { !there.contains(ExactString($0.path)) }) { return true }
        }
        if try lacksText(of: message, db) || pinChange(by: message, db) != nil { return true }
        if message.replyTo != nil {
            let sql = "SELECT reply_to IS NULL FROM message WHERE id = ?"
            if try Bool.fetchOne(db, sql: sql, arguments: [id]) == true { return true }
        }
        guard let remoteID, hasRemoteID(of: message) else { return false }
        return try message.storedReactions.contains {
            try $0.isMissing(to: remoteID, room: room, names: &names, db)
        }
    }

    private func lacksText(of message: ImportedMessage, _ db: Database) throws -> Bool {
        guard !isWiped else { return false }
        guard message.exact != nil else {
            return try message.incomingVersions(at: .now()).contains {
                try lacksVersion(withStoredText($0, of: message, db), db) || lacksDeletion($0)
            }
        }
        return try message.isWiped || message.deletedAt != nil && deletedAt == nil
            || message.exactVersions(of: id).contains { try lacks($0, db) }
    }

    /// Returns true if the message has no version of that time. A version that is later than the present text must also
    /// differ from it.
    func lacks(_ version: (at: Int64, body: String?), _ db: Database) throws -> Bool {
        guard version.at != since else { return false }
        guard version.at < since else { return !hasBody(version.body) }
        let statement = try db.cachedStatement(
            sql: "SELECT 1 FROM message_version WHERE message_id = ? AND at_us = ?")
        return try Int64.fetchOne(statement, arguments: [id, version.at]) == nil
    }

    /// Returns the version with this message's text if the archive has a version of that time, so that it changes
    /// nothing. A later export of a network may render the same edit differently, with people's new names for example.
    package func withStoredText(
        _ version: IncomingMessage, of message: ImportedMessage, _ db: Database
    ) throws -> IncomingMessage {
        guard message.hasNetworkIDs, hasRemoteID(of: message), let edit = version.plausibleEdit?.microseconds,
            try !lacks((at: max(edit, id &+ 1), body: version.body), db)
        else { return version }
        var same = version
        same.body = body
        return same
    }

    package func hasRemoteID(of message: ImportedMessage) -> Bool {
        guard let remoteID, let other = message.remoteID else { return false }
        return remoteID.isExactly(other)
    }
}
