import ChatModel
import GRDB

/// Reactions, kept by the network's id of the message: so one that comes before its message waits for it.
extension Ingest {
    mutating func react(_ reaction: IncomingReaction, _ db: Database) throws -> EventOutcome {
        let time = reaction.sourceTime?.believed(at: reaction.receivedAt) ?? reaction.receivedAt
        let room = try names.room(reaction.room, at: time.microseconds, db)
        var sender = reaction.sender
        (sender.key, sender.name) = (sender.key.withoutNUL, sender.name.withoutNUL)
        let user = try names.user(sender, at: time.microseconds, db)
        if let session = reaction.session { note(session, SessionProgress(signOfLife: reaction.receivedAt)) }
        let (target, ownID) = (reaction.target.withoutNUL, reaction.ownID?.withoutNUL)
        if let ownID, try retraction(of: ownID, room: room, db) != nil { return .done }
        let text = reaction.text.keptDetail
        let stood = try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT removed_at_us IS NULL FROM reaction
                    WHERE room_id = ? AND remote_id = ? AND user_id = ? AND text = ?
                    """),
            arguments: [room, target, user, text])
        // The latest of giving and taking back holds, in whatever order they are told.
        try db.cachedStatement(
            sql: """
                INSERT INTO reaction (room_id, remote_id, user_id, text, at_us, removed_at_us, own_id)
                  VALUES (?1, ?2, ?3, ?4, ?5, iif(?6, ?5, NULL), iif(?6, NULL, ?7))
                ON CONFLICT DO UPDATE SET at_us = iif(?6, at_us, ?5), removed_at_us = iif(?6, ?5, NULL),
                  own_id = iif(?6, own_id, ?7)
                WHERE ?5 > ifnull(removed_at_us, at_us) OR (?6 AND removed_at_us IS NULL AND ?5 = at_us)
                """
        ).execute(arguments: [room, target, user, text, time.microseconds, reaction.isRemoved, ownID])
        let isOther = db.changesCount > 0
        let isNew = isOther && (stood ?? false) == reaction.isRemoved
        let stored = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM message WHERE room_id = ? AND remote_id = ?"),
            arguments: [room, target])
        guard let stored else { return .done }
        // Given once more, it shows as before, but is of another time.
        if isOther { try Feed.reaction(messageID: stored, db) }
        return isNew ? .version(stored) : .known(stored)
    }
}
