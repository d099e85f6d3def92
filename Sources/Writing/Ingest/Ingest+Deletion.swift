import Bytes
import ChatModel
import Records
package import SQLite

/// Applies deletions and reactions to stored messages. Those of a message that is not stored yet are kept for it.
extension Ingest {
    /// Deletes or wipes a message, and retracts a reaction.
    mutating func applyDeletion(_ deletion: MessageDeletion, _ db: Database) throws -> EventOutcome {
        let room = try directory.names.rooms.room(deletion.room, at: deletion.receivedAt.microseconds, db)
        sessions.noteSignOfLife(of: deletion.session, at: deletion.receivedAt)
        let isNew = try storeRetraction(deletion, room: room, db)
        // An edit that came before its message is a message of its own as well.
        let ofEdit = try removeEdit(deletion, room: room, db)
        guard var stored = try StoredMessage.find(deletion.remoteID.withoutNUL, room: room, db) else {
            if let ofEdit { return ofEdit }
            return isNew ? try noteReactions(after: ReactionTable.retract(deletion, room: room, db), db) : .done
        }
        let isDeleted = try texts.delete(&stored, at: deletion.plausibleTime, db)
        let isWiped = try deletion.retraction?.wipes == true && texts.wipe(&stored, db)
        if isWiped, !isDeleted { try Feed.delete(messageID: stored.id, db) }
        return isDeleted || isWiped ? .version(stored.id) : .known(stored.id)
    }

    /// Removes the text and the files of an edit. Returns nil if the deletion is of another event.
    private mutating func removeEdit(_ deletion: MessageDeletion, room: Int64, _ db: Database) throws -> EventOutcome? {
        let remoteID = deletion.remoteID.withoutNUL
        guard let edit = try EditBook.find(remoteID, room: room, db) else { return nil }
        guard edit.since != nil, var stored = try StoredMessage.find(at: edit.message, db) else {
            return .known(edit.message)
        }
        let (since, files) = try EditBook.remove(remoteID, edit, db)
        let hadFiles = try texts.removeFiles(files, of: &stored, db)
        let hadText = try since.map { try texts.removeText(since: $0, of: &stored, db) } ?? false
        return hadText || hadFiles ? .version(stored.id) : .known(stored.id)
    }

    /// Returns the outcome of an edit that was removed before it came, or of a removed one that history has as a message
    /// without content; nil for every other message.
    func removedEdit(
        _ message: IncomingMessage, as hearing: ChatEvent.Hearing, _ db: Database
    ) throws -> EventOutcome? {
        if hearing.isEdit, let own = message.editID {
            let room = try directory.names.rooms.findRoom(message.room.key, db)?.id
            let isRemoved = try room.map { try retractions.find(own, room: $0, db) != nil } ?? false
            return isRemoved ? .done : nil
        }
        guard message.isEmptied, let own = message.remoteID,
            let room = try directory.names.rooms.findRoom(message.room.key, db)?.id
        else { return nil }
        return try EditBook.find(own, room: room, db).map { .known($0.message) }
    }

    /// Stores the deletion's retraction. Returns false if it has none or a known one.
    private mutating func storeRetraction(_ deletion: MessageDeletion, room: Int64, _ db: Database) throws -> Bool {
        guard let retraction = deletion.retraction else { return false }
        let (remoteID, time) = (deletion.remoteID.withoutNUL, deletion.plausibleTime.microseconds)
        guard try !isGone(remoteID, room: room, key: deletion.room.key, db),
            try !forgotten.hasErased(room: deletion.room.key, at: time, db)
        else { return false }
        let user = try retraction.by.flatMap { try directory.names.people.mentioned($0.withoutNUL, at: time, db) }
        let isForgotten = retraction.by != nil && user == nil
        let isNew = try retractions.store(
            of: remoteID, room: room, by: user, at: time, reason: isForgotten ? nil : retraction.reason,
            wipes: retraction.wipes, db)
        if retraction.wipes { try FailureLog.wipe(remoteID, room: room, db) }
        return isNew
    }

    /// Returns true for a forgotten message without a place, of which nothing more is stored.
    ///
    /// - Parameter key: The source's key of the room.
    package func isGone(_ remoteID: String, room: Int64, key: String, _ db: Database) throws -> Bool {
        try forgotten.contains(id: remoteID, room: room, key: key, db)
            && StoredMessage.find(remoteID, room: room, db) == nil
    }

    mutating func storeReaction(_ reaction: IncomingReaction, _ db: Database) throws -> EventOutcome {
        let time = reaction.sourceTime?.plausible(at: reaction.receivedAt) ?? reaction.receivedAt
        let room = try directory.names.rooms.room(reaction.room, at: time.microseconds, db)
        sessions.noteSignOfLife(of: reaction.session, at: reaction.receivedAt)
        guard try !isGone(reaction.target.withoutNUL, room: room, key: reaction.room.key, db),
            try !forgotten.hasErased(room: reaction.room.key, at: time.microseconds, db),
            let user = try directory.names.people.mentioned(reaction.sender.withoutNUL, at: time.microseconds, db)
        else { return .done }
        if let ownID = reaction.ownID?.withoutNUL, try retractions.find(ownID, room: room, db) != nil { return .done }
        reactions.hasAny = true
        return try noteReactions(after: ReactionTable.store(reaction, room: room, user: user, at: time, db), db)
    }

    /// Marks the message whose reactions an event changed.
    private mutating func noteReactions(after outcome: EventOutcome, _ db: Database) throws -> EventOutcome {
        if case .version(let id) = outcome, var stored = try StoredMessage.find(at: id, db) {
            try texts.noteReactions(of: &stored, db)
        }
        return outcome
    }
}
