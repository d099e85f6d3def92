import ChatModel
import GRDB

/// Edits and deletes of messages that are stored.
///
/// None is a new message: rooms' counts, members, what is unread and what was late stay as they are.
extension Ingest {
    mutating func revise(
        _ stored: StoredMessage, by message: IncomingMessage, as hearing: ChatEvent.Hearing, _ db: Database
    ) throws -> EventOutcome {
        guard !stored.isWiped else {
            if hearing == .edit { noteReceipt(session: message.session, at: message.receivedAt) }
            return .known(stored.id)
        }
        var stored = stored
        try addFiles(of: message, to: &stored, db)
        if hearing == .live || hearing.isReplay {
            let isNew = try complete(stored, from: message, db)
            try keepRaw(of: message, as: stored.id, since: stored.since, db)
            return isNew ? .version(stored.id) : .known(stored.id)
        }
        if hearing == .edit { noteReceipt(session: message.session, at: message.receivedAt) }
        let isEdited = try edit(
            &stored, to: message.body, at: message.believedEdit, receivedAt: message.receivedAt, db)
        let isDeleted = try message.believedDeletion.map { try delete(&stored, at: $0, db) } ?? false
        try keepRaw(of: message, as: stored.id, since: stored.since, db)
        return isEdited || isDeleted ? .version(stored.id) : .known(stored.id)
    }

    /// First, so that whatever follows takes the message out of the index as it is there.
    private mutating func addFiles(
        of message: IncomingMessage, to stored: inout StoredMessage, _ db: Database
    ) throws {
        guard try keepFiles(of: message, as: stored.id, db), !stored.hasFile else { return }
        let old = stored
        stored.hasFile = true
        reindex(old, stored)
    }

    /// Adds what history knows of the message and the archive does not.
    ///
    /// - Returns: whether there was anything.
    mutating func complete(_ stored: StoredMessage, from message: IncomingMessage, _ db: Database) throws -> Bool {
        guard !stored.isWiped else { return false }
        var stored = stored
        let isEdited = try stored.lacksVersion(message, db)
        if isEdited {
            if let time = message.believedEdit?.microseconds {
                try insert(message.body, at: time, into: &stored, db)
            } else {
                try keep(message.body, at: stored.id, of: stored, db)
            }
        }
        let isDeleted = try message.believedDeletion.map { try delete(&stored, at: $0, db) } ?? false
        return isEdited || isDeleted
    }

    mutating func delete(_ deletion: MessageDeletion, _ db: Database) throws -> EventOutcome {
        let room = try names.room(deletion.room, at: deletion.receivedAt.microseconds, db)
        noteReceipt(session: deletion.session, at: deletion.receivedAt)
        let isNew = try record(deletion, room: room, db)
        guard var stored = try StoredMessage.find(deletion.remoteID.withoutNUL, room: room, db) else {
            return isNew ? try retractReaction(deletion, room: room, db) : .done
        }
        let isDeleted = try delete(&stored, at: deletion.believedTime, db)
        let isWiped = try deletion.retraction?.wipes == true && wipe(&stored, db)
        if isWiped, !isDeleted { try Feed.delete(messageID: stored.id, db) }
        return isDeleted || isWiped ? .version(stored.id) : .known(stored.id)
    }

    /// False when it says so already, or this edit was heard before.
    private mutating func edit(
        _ stored: inout StoredMessage, to body: String?, at claimed: Timestamp?, receivedAt: Timestamp, _ db: Database
    ) throws -> Bool {
        guard !stored.says(body) else { return false }
        guard let time = claimed?.microseconds else {
            try replace(&stored, with: body, at: max(receivedAt.microseconds, stored.since &+ 1), db)
            return true
        }
        if try stored.said(body, at: max(time, stored.id &+ 1), db) { return false }
        try insert(body, at: time, into: &stored, db)
        return true
    }

    /// Puts a version where its time is; the newest is what the message says.
    mutating func insert(
        _ body: String?, at time: Int64, into stored: inout StoredMessage, _ db: Database
    ) throws {
        let time = max(time, stored.id &+ 1)
        if time < stored.since, let free = try stored.freeTime(notBefore: time, db) {
            try keep(body, at: free, of: stored, db)
        } else {
            try replace(&stored, with: body, at: max(time, stored.since &+ 1), db)
        }
    }

    mutating func keep(_ body: String?, at time: Int64, of message: StoredMessage, _ db: Database) throws {
        // What is replayed may have this text.
        replayed.forget()
        if !stored.isEmpty, try !message.everSaid(body, db) { try stored.note(earlier: body, of: message) }
        try db.cachedStatement(sql: "INSERT INTO message_version (message_id, at_us, body) VALUES (?, ?, ?)")
            .execute(arguments: [message.id, time, body])
        try Feed.edit(messageID: message.id, db)
    }

    mutating func replace(
        _ stored: inout StoredMessage, with body: String?, at time: Int64, _ db: Database
    ) throws {
        let old = stored
        if !self.stored.isEmpty {
            try self.stored.change(old, to: body, isNew: try !old.everSaid(body, db))
        }
        try keep(old.body, at: old.since, of: old, db)
        try db.cachedStatement(sql: "UPDATE message SET body = ?, edited_at_us = ? WHERE id = ?")
            .execute(arguments: [body, time, old.id])
        (stored.body, stored.editedAt) = (body, time)
        reindex(old, stored)
    }

    /// False when it is deleted already.
    mutating func delete(_ stored: inout StoredMessage, at time: Timestamp, _ db: Database) throws -> Bool {
        guard stored.deletedAt == nil else { return false }
        let old = stored
        try db.cachedStatement(sql: "UPDATE message SET deleted_at_us = ? WHERE id = ?")
            .execute(arguments: [time.microseconds, old.id])
        try Feed.delete(messageID: old.id, db)
        stored.deletedAt = time.microseconds
        reindex(old, stored)
        return true
    }

    mutating func reindex(_ old: StoredMessage, _ new: StoredMessage) {
        if !old.kind.isNoise { index.change(old.searchEntry, to: new.searchEntry) }
    }

    private mutating func noteReceipt(session: SessionID?, at time: Timestamp) {
        if let session { note(session, SessionProgress(signOfLife: time)) }
    }
}
