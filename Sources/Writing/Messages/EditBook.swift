import Bytes
import ChatModel
import FoundationEssentials
import Records
import SQLite
import Schema

/// Keeps the networks' ids of edits, so that an edit can be removed without its message.
enum EditBook {
    /// An edit of a stored message.
    struct Edit {
        /// The message's id.
        var message: Int64
        /// Since when the message had the edit's text, in microseconds since 1970; nil once the edit was removed.
        var since: Int64?
        /// The files that the message has only from edits.
        var files: [String]
    }

    /// - Parameter remoteID: The network's id of the edit.
    static func find(_ remoteID: String, room: Int64, _ db: Database) throws -> Edit? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT message_id, at_us, files FROM edit JOIN message ON message.id = message_id
                WHERE edit.remote_id = ? AND room_id = ? LIMIT 1
                """)
        return try statement.first(arguments: [remoteID, room]) {
            Edit(message: try $0.integer(0), since: try $0.optionalInteger(1), files: paths(try $0.optionalText(2)))
        }
    }

    /// Returns the paths of a message's files.
    static func files(of message: Int64, _ db: Database) throws -> Set<String> {
        let statement = try db.cachedStatement(
            sql: "SELECT path FROM attachment JOIN file ON file.id = file_id WHERE message_id = ?")
        return Set(try String.fetchAll(statement, arguments: [message]))
    }

    /// Stores the id of an edit after its text was stored. A known id stays as it is.
    ///
    /// - Parameter added: The files that came to the message with this edit.
    static func store(_ edit: IncomingMessage, of stored: StoredMessage, added: [String], _ db: Database) throws {
        guard let own = edit.editID?.withoutNUL else { return }
        let others = try files(ofEditsOf: stored.id, db)
        let files = edit.attachments.filter { added.contains($0) || others.contains($0) }
        let json = files.isEmpty ? nil : String(decoding: try JSONEncoder().encode(files), as: UTF8.self)
        try db.cachedStatement(
            sql: "INSERT INTO edit (message_id, remote_id, at_us, files) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        ).execute(arguments: [stored.id, own, try time(of: edit, in: stored, db), json])
    }

    /// Marks an edit as removed.
    ///
    /// - Returns: The time of its text and the paths of its files that no other edit has, for removal; nil for a text that
    ///   another edit has as well.
    static func remove(
        _ remoteID: String, _ edit: Edit, _ db: Database
    ) throws -> (since: Int64?, files: [String]) {
        try db.cachedStatement(
            sql: "UPDATE edit SET at_us = NULL, files = NULL WHERE message_id = ? AND remote_id = ?"
        ).execute(arguments: [edit.message, remoteID])
        let isShared = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM edit WHERE message_id = ? AND at_us = ?)"),
            arguments: [edit.message, edit.since])
        let others = try files(ofEditsOf: edit.message, db)
        return (isShared == true ? nil : edit.since, edit.files.filter { !others.contains($0) })
    }

    /// Returns the time since which the message has or had the edit's text.
    private static func time(of edit: IncomingMessage, in stored: StoredMessage, _ db: Database) throws -> Int64 {
        if stored.hasBody(edit.body) { return stored.since }
        let statement = try db.cachedStatement(
            sql: """
                SELECT at_us FROM message_version WHERE message_id = ?1 AND body IS ?2
                ORDER BY abs(at_us - ?3) LIMIT 1
                """)
        let claimed = edit.plausibleEdit?.microseconds ?? stored.since
        return try Int64.fetchOne(statement, arguments: [stored.id, edit.body, claimed]) ?? stored.since
    }

    private static func files(ofEditsOf message: Int64, _ db: Database) throws -> Set<String> {
        let statement = try db.cachedStatement(
            sql: "SELECT files FROM edit WHERE message_id = ? AND files IS NOT NULL")
        return Set(try String.fetchAll(statement, arguments: [message]).flatMap(paths))
    }

    private static func paths(_ json: String?) -> [String] {
        json.flatMap { try? JSONDecoder().decode([String].self, from: Data($0.utf8)) } ?? []
    }
}
