import ChatModel
import GRDB

/// What is retracted by somebody, on networks that tell by whom: kept by the network's id, so that it holds for what comes
/// later, and for what is told again.
extension Ingest {
    /// False when it is told again.
    mutating func record(_ deletion: MessageDeletion, room: Int64, _ db: Database) throws -> Bool {
        guard let retraction = deletion.retraction else { return false }
        hasRetractions = true
        let user = try retraction.by.map { by in
            var by = by
            (by.key, by.name) = (by.key.withoutNUL, by.name.withoutNUL)
            return try names.user(by, at: deletion.believedTime.microseconds, db)
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO retraction (room_id, remote_id, user_id, at_us, reason, wipes) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET wipes = 1 WHERE wipes < excluded.wipes
                """
        ).execute(arguments: [
            room, deletion.remoteID.withoutNUL, user, deletion.believedTime.microseconds, retraction.reason?.keptDetail,
            retraction.wipes,
        ])
        let isNew = db.changesCount > 0
        if retraction.wipes { try wipeFailure(of: deletion.remoteID.withoutNUL, room: room, db) }
        return isNew
    }

    /// Of a message that could not be stored, what was kept of it for people.
    private func wipeFailure(of remoteID: String, room: Int64, _ db: Database) throws {
        try withSecureDelete(db) {
            try db.cachedStatement(
                sql: """
                    UPDATE failure SET payload = x'' WHERE ifnull(room_id, 0) = ? AND ifnull(remote_id, payload) = ?
                      AND payload <> x''
                    """
            ).execute(arguments: [room, remoteID])
        }
    }

    /// What is deleted or made shorter meanwhile leaves zeros.
    private func withSecureDelete(_ db: Database, _ body: () throws -> Void) throws {
        let mode = try Int.fetchOne(db, sql: "PRAGMA secure_delete") ?? 0
        try db.execute(sql: "PRAGMA secure_delete = ON")
        // FAST, or on or off.
        defer { try? db.execute(sql: "PRAGMA secure_delete = \(mode == 2 ? "FAST" : "\(mode)")") }
        try body()
    }

    /// The message as it is kept where it was retracted before it came.
    func applyRetraction(to message: IncomingMessage, room: Int64, _ db: Database) throws -> IncomingMessage {
        guard let remoteID = message.remoteID, let retraction = try retraction(of: remoteID, room: room, db) else {
            return message
        }
        var kept = message
        kept.deletedAt = message.deletedAt ?? Timestamp(microseconds: retraction.at)
        if retraction.wipes {
            (kept.body, kept.raw, kept.editedAt) = (nil, nil, nil)
            // An export of what was wiped tells of its files all the same.
            if !message.flags.contains(.wiped) { kept.attachments = [] }
            kept.flags.insert(.wiped)
        }
        return kept
    }

    /// - Parameter remoteID: Of a message or a reaction.
    func retraction(of remoteID: String, room: Int64, _ db: Database) throws -> (at: Int64, wipes: Bool)? {
        guard hasRetractions else { return nil }
        let statement = try db.cachedStatement(
            sql: "SELECT at_us, wipes FROM retraction WHERE room_id = ? AND remote_id = ?")
        return try Row.fetchOne(statement, arguments: [room, remoteID]).map { try ($0.value(0), $0.value(1)) }
    }

    /// Takes back the reaction of that id; done where there is none.
    mutating func retractReaction(_ deletion: MessageDeletion, room: Int64, _ db: Database) throws -> EventOutcome {
        let target = try String.fetchOne(
            db.cachedStatement(
                sql: """
                    UPDATE reaction SET removed_at_us = max(at_us, ?) WHERE room_id = ? AND own_id = ? AND removed_at_us IS NULL
                    RETURNING remote_id
                    """),
            arguments: [deletion.believedTime.microseconds, room, deletion.remoteID.withoutNUL])
        guard let target, let stored = try StoredMessage.find(target, room: room, db) else { return .done }
        try Feed.reaction(messageID: stored.id, db)
        return .version(stored.id)
    }

    /// Takes away every text of the message, but for who said it, when and where: what it says and ever said, what the network
    /// sent of it, and what is searched.
    ///
    /// Where they were, the file has zeros afterwards; what it can have elsewhere, `docs/networks/irc.md` tells.
    ///
    /// - Returns: false when it has none any more.
    mutating func wipe(_ stored: inout StoredMessage, _ db: Database) throws -> Bool {
        guard !stored.isWiped else { return false }
        let old = stored
        try withSecureDelete(db) {
            try db.execute(
                sql: """
                    UPDATE message SET body = NULL, edited_at_us = NULL, flags = flags | \(MessageFlags.wiped.rawValue)
                      WHERE id = :id;
                    DELETE FROM message_version WHERE message_id = :id;
                    DELETE FROM message_raw WHERE message_id = :id;
                    """,
                arguments: ["id": old.id])
        }
        (stored.body, stored.editedAt, stored.isWiped) = (nil, nil, true)
        self.stored.forget()
        replayed.forget()
        reindex(old, stored)
        return true
    }
}

extension MessageDeletion {
    /// The network's time when it gives one that can be true, else the time of receipt.
    var believedTime: Timestamp { sourceTime?.believed(at: receivedAt) ?? receivedAt }
}
