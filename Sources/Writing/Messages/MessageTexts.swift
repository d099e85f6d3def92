package import ChatModel
package import Records
package import SQLite
import Schema

/// Changes the texts of stored messages, and updates the search index and the matcher of imports and replays.
///
/// No change creates a message, so rooms' counts, members, unread messages and late messages stay.
package struct MessageTexts {
    package var matcher = OccurrenceMatcher()
    package var index = SearchIndex()

    /// Notes a message that was just stored.
    ///
    /// - Parameters:
    ///   - flags: The flags of its row.
    ///   - isLate: True if later messages are already stored.
    mutating func noteStored(
        _ message: IncomingMessage, as id: Int64, flags: MessageFlags, isLate: Bool, room: Int64, sender: Int64?,
        isReceived: Bool
    ) throws {
        if !message.kind.isNoise {
            index.add(
                SearchEntry(
                    id: id, room: room, sender: sender, kind: message.kind, body: message.body,
                    marks: SearchMarks(
                        isEdited: message.editedAt != nil, isDeleted: message.deletedAt != nil, flags: flags,
                        isReply: message.replyTo != nil, files: SearchMarks.files(at: message.attachments)),
                    isRead: flags.contains(.readOnArrival)),
                isLate: isLate)
        }
        try matcher.noteStored(message, as: id, room: room, sender: sender, isReceived: isReceived)
    }

    /// Marks the message with the kinds of its files, after one was added. Call this before other changes, because they
    /// remove the message from the index by its state before them.
    package mutating func noteFiles(of stored: inout StoredMessage, _ db: Database) throws {
        let paths = try String.fetchOne(
            db.cachedStatement(sql: "SELECT \(SearchMarks.paths) FROM message WHERE id = ?"), arguments: [stored.id])
        let files = SearchMarks.files(joined: paths)
        guard files != stored.files else { return }
        let old = stored
        stored.files = files
        reindex(old, stored)
    }

    /// Marks the message as having a reaction that stands, or as having none, by the table of reactions.
    ///
    /// - Returns: True if that changed.
    @discardableResult
    package mutating func noteReactions(of stored: inout StoredMessage, _ db: Database) throws -> Bool {
        let isReacted = try stored.remoteID.map { try ReactionTable.stands(on: $0, room: stored.room, db) } ?? false
        guard isReacted != stored.isReacted else { return false }
        try setFlag(.reacted, isReacted, of: stored.id, db)
        let old = stored
        stored.isReacted = isReacted
        reindex(old, stored)
        return true
    }

    /// Does the same for several messages, after rows of the table changed.
    ///
    /// - Returns: The messages of which that changed.
    @discardableResult
    package mutating func noteReactions(of messages: [Int64], _ db: Database) throws -> [Int64] {
        try messages.filter { id in
            guard var stored = try StoredMessage.find(at: id, db) else { return false }
            return try noteReactions(of: &stored, db)
        }
    }

    /// Notes whether the message is pinned, from an import.
    ///
    /// - Returns: True if that changed.
    package mutating func notePin(of stored: inout StoredMessage, from message: ImportedMessage, _ db: Database) throws
        -> Bool
    {
        guard let isPinned = try stored.pinChange(by: message, db) else { return false }
        try setFlag(.pinned, isPinned, of: stored.id, db)
        try Feed.edit(messageID: stored.id, db)
        let old = stored
        stored.isPinned = isPinned
        reindex(old, stored)
        return true
    }

    /// Notes the message that this one answers, unless it answers one already.
    ///
    /// - Returns: True if that changed.
    package mutating func noteReply(to target: String, of stored: inout StoredMessage, _ db: Database) throws -> Bool {
        let update = try db.cachedStatement(sql: "UPDATE message SET reply_to = ? WHERE id = ? AND reply_to IS NULL")
        try update.execute(arguments: [target, stored.id])
        guard db.changesCount > 0 else { return false }
        try Feed.edit(messageID: stored.id, db)
        let old = stored
        stored.isReply = true
        reindex(old, stored)
        return true
    }

    private func setFlag(_ flag: MessageFlags, _ isSet: Bool, of id: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE message SET flags = \(isSet ? "flags | ?1" : "flags & ~?1") WHERE id = ?2")
            .execute(arguments: [flag.rawValue, id])
    }

    /// Adds the version and the deletion from history that the stored message lacks.
    ///
    /// - Returns: True if anything was added.
    package mutating func complete(_ stored: StoredMessage, from message: IncomingMessage, _ db: Database) throws
        -> Bool
    {
        guard !stored.isWiped else { return false }
        var stored = stored
        let isEdited = try stored.lacksVersion(message, db)
        if isEdited {
            if let time = message.plausibleEdit?.microseconds {
                try insertVersion(message.body, at: time, into: &stored, db)
            } else {
                try storeEarlier(message.body, at: stored.id, of: stored, db)
            }
        }
        let isDeleted = try message.plausibleDeletion.map { try delete(&stored, at: $0, db) } ?? false
        return isEdited || isDeleted
    }

    /// Applies the text and the deletion of an edit or a snapshot.
    ///
    /// - Returns: False if nothing changed, because the message already has the text and the deletion, or already had
    ///   this edit.
    mutating func update(_ stored: inout StoredMessage, from message: IncomingMessage, _ db: Database) throws -> Bool {
        let isEdited = try edit(
            &stored, to: message.body, at: message.plausibleEdit, receivedAt: message.receivedAt, db)
        let isDeleted = try message.plausibleDeletion.map { try delete(&stored, at: $0, db) } ?? false
        return isEdited || isDeleted
    }

    /// Stores each missing version at its own time, and keeps the stored ones. The latest version becomes the present
    /// text.
    ///
    /// - Returns: True if any was missing.
    package mutating func addVersions(
        _ versions: [(at: Int64, body: String?)], to stored: inout StoredMessage, _ db: Database
    ) throws -> Bool {
        var isChanged = false
        for version in versions where try stored.lacks(version, db) {
            if version.at > stored.since {
                try replaceText(of: &stored, with: version.body, at: version.at, db)
            } else {
                try storeEarlier(version.body, at: version.at, of: stored, db)
            }
            isChanged = true
        }
        return isChanged
    }

    /// Gives a message of which only the ciphertext was known its first text.
    package mutating func decrypt(_ stored: inout StoredMessage, as kind: MessageKind, _ body: String, _ db: Database)
        throws
    {
        let old = stored
        try db.cachedStatement(sql: "UPDATE message SET body = ?, kind = ? WHERE id = ?")
            .execute(arguments: [body, kind.code, old.id])
        try Feed.edit(messageID: old.id, db)
        (stored.kind, stored.body, stored.isUndecrypted) = (kind, body, false)
        matcher.forget()
        matcher.imported.forget()
        reindex(old, stored)
    }

    /// Marks the message as deleted. Returns false if it already was.
    package mutating func delete(_ stored: inout StoredMessage, at time: Timestamp, _ db: Database) throws -> Bool {
        guard stored.deletedAt == nil else { return false }
        let old = stored
        try db.cachedStatement(sql: "UPDATE message SET deleted_at_us = ? WHERE id = ?")
            .execute(arguments: [time.microseconds, old.id])
        try Feed.delete(messageID: old.id, db)
        stored.deletedAt = time.microseconds
        reindex(old, stored)
        return true
    }

    /// Removes the message's text, its earlier versions, the bytes that the network sent, and its words in the search
    /// index. Sender, time and room stay.
    ///
    /// The file has zeros in their place afterwards. `docs/networks/irc.md` lists the other places that may still have
    /// them.
    ///
    /// - Returns: False if the texts were already removed.
    package mutating func wipe(_ stored: inout StoredMessage, _ db: Database) throws -> Bool {
        guard !stored.isWiped else { return false }
        let old = stored
        try db.withSecureDelete {
            try db.execute(
                sql: """
                    UPDATE message SET \(Self.emptied), flags = flags | \(MessageFlags.wiped.rawValue) WHERE id = :id;
                    DELETE FROM message_version WHERE message_id = :id;
                    DELETE FROM message_raw WHERE message_id = :id;
                    DELETE FROM attachment WHERE message_id = :id;
                    UPDATE edit SET at_us = NULL, files = NULL WHERE message_id = :id;
                    """,
                arguments: ["id": old.id])
        }
        (stored.body, stored.editedAt, stored.isWiped, stored.files) = (nil, nil, true, [])
        matcher.forget()
        reindex(old, stored)
        return true
    }

    /// Removes everything of a message but its place: its texts and bytes as ``wipe(_:_:)`` does, its files, and the
    /// message that it answered. It counts as deleted.
    package mutating func redact(_ stored: inout StoredMessage, at time: Timestamp, _ db: Database) throws {
        let old = stored
        try db.execute(
            sql: """
                UPDATE message SET \(Self.emptied), reply_to = NULL, deleted_at_us = ifnull(deleted_at_us, :time),
                  flags = flags | \(MessageFlags.wiped.rawValue) WHERE id = :id;
                DELETE FROM message_version WHERE message_id = :id;
                DELETE FROM message_raw WHERE message_id = :id;
                DELETE FROM attachment WHERE message_id = :id;
                DELETE FROM edit WHERE message_id = :id;
                """,
            arguments: ["id": old.id, "time": time.microseconds])
        (stored.body, stored.editedAt, stored.isWiped, stored.files) = (nil, nil, true, [])
        stored.isReply = false
        stored.deletedAt = stored.deletedAt ?? time.microseconds
        try Feed.delete(messageID: old.id, db)
        matcher.forget()
        reindex(old, stored)
    }

    /// The columns of a message that stay when its texts are removed: its place, its sender and its state.
    private static let keptColumns: Set = [
        "id", "room_id", "kind", "sender_id", "session_id", "received_at_us", "source_time_us", "flags", "remote_id",
        "deleted_at_us", "reply_to",
    ]
    /// SQL that empties all other columns. A new column is among them until it is in the list.
    private static let emptied = SchemaTable.message.columns
        .filter { $0.use != .computed && !keptColumns.contains($0.name) }
        .map { "\($0.name) = NULL" }.joined(separator: ", ")

    package mutating func flush(_ db: Database) throws { try index.flush(db) }

    private mutating func edit(
        _ stored: inout StoredMessage, to body: String?, at claimed: Timestamp?, receivedAt: Timestamp, _ db: Database
    ) throws -> Bool {
        guard !stored.hasBody(body) else { return false }
        guard let time = claimed?.microseconds else {
            try replaceText(of: &stored, with: body, at: max(receivedAt.microseconds, stored.since &+ 1), db)
            return true
        }
        if try stored.hadBody(body, at: max(time, stored.id &+ 1), db) { return false }
        try insertVersion(body, at: time, into: &stored, db)
        return true
    }

    /// Stores a version at its time. The newest version becomes the present text.
    private mutating func insertVersion(
        _ body: String?, at time: Int64, into stored: inout StoredMessage, _ db: Database
    ) throws {
        let time = max(time, stored.id &+ 1)
        if time < stored.since, let free = try stored.freeTime(notBefore: time, db) {
            try storeEarlier(body, at: free, of: stored, db)
        } else {
            try replaceText(of: &stored, with: body, at: max(time, stored.since &+ 1), db)
        }
    }

    private mutating func storeEarlier(
        _ body: String?, at time: Int64, of message: StoredMessage, _ db: Database
    ) throws {
        try matcher.noteEarlier(body, of: message, db)
        try db.cachedStatement(sql: "INSERT INTO message_version (message_id, at_us, body) VALUES (?, ?, ?)")
            .execute(arguments: [message.id, time, body])
        try Feed.edit(messageID: message.id, db)
    }

    private mutating func replaceText(
        of stored: inout StoredMessage, with body: String?, at time: Int64, _ db: Database
    ) throws {
        let old = stored
        try matcher.noteChange(of: old, to: body, db)
        try storeEarlier(old.body, at: old.since, of: old, db)
        try db.cachedStatement(sql: "UPDATE message SET body = ?, edited_at_us = ? WHERE id = ?")
            .execute(arguments: [body, time, old.id])
        (stored.body, stored.editedAt) = (body, time)
        reindex(old, stored)
    }

    /// Changes the words of a message in the search index.
    mutating func reindex(_ old: StoredMessage, _ new: StoredMessage) {
        if !old.kind.isNoise { index.change(old.searchEntry, to: new.searchEntry) }
    }
}
