import Bytes
import ChatModel
import Records
import SQLite
import Schema

/// Stores reactions by the network's id of their message, because a reaction may come before its message.
enum ReactionTable {
    static func store(
        _ reaction: IncomingReaction, room: Int64, user: Int64, at time: Timestamp, _ db: Database
    ) throws -> EventOutcome {
        let (target, text) = (reaction.target.withoutNUL, reaction.text.keptDetail)
        let stood = try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT removed_at_us IS NULL FROM reaction
                    WHERE room_id = ? AND remote_id = ? AND user_id = ? AND text = ?
                    """),
            arguments: [room, target, user, text])
        // The later of giving and taking back counts, in whatever order they come.
        try db.cachedStatement(
            sql: """
                INSERT INTO reaction (room_id, remote_id, user_id, text, at_us, removed_at_us, own_id)
                  VALUES (?1, ?2, ?3, ?4, ?5, iif(?6, ?5, NULL), iif(?6, NULL, ?7))
                ON CONFLICT DO UPDATE SET at_us = iif(?6, at_us, ?5), removed_at_us = iif(?6, ?5, NULL),
                  own_id = iif(?6, own_id, ?7)
                WHERE ?5 > ifnull(removed_at_us, at_us) OR (?6 AND removed_at_us IS NULL AND ?5 = at_us)
                """
        ).execute(arguments: [
            room, target, user, text, time.microseconds, reaction.isRemoved, reaction.ownID?.withoutNUL,
        ])
        let isOther = db.changesCount > 0
        let isNew = isOther && (stood ?? false) == reaction.isRemoved
        let stored = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM message WHERE room_id = ? AND remote_id = ?"),
            arguments: [room, target])
        guard let stored else {
            if isOther { try Feed.members(roomID: room, db) }
            return .done
        }
        // A reaction that is given again changes only its time.
        if isOther { try Feed.reaction(messageID: stored, db) }
        return isNew ? .version(stored) : .known(stored)
    }

    /// Takes back the reaction with the deletion's id. Returns `done` if there is none.
    static func retract(_ deletion: MessageDeletion, room: Int64, _ db: Database) throws -> EventOutcome {
        let target = try String.fetchOne(
            db.cachedStatement(
                sql: """
                    UPDATE reaction SET removed_at_us = max(at_us, ?) WHERE room_id = ? AND own_id = ? AND removed_at_us IS NULL
                    RETURNING remote_id
                    """),
            arguments: [deletion.plausibleTime.microseconds, room, deletion.remoteID.withoutNUL])
        guard let target else { return .done }
        guard let stored = try StoredMessage.find(target, room: room, db) else {
            try Feed.members(roomID: room, db)
            return .done
        }
        try Feed.reaction(messageID: stored.id, db)
        return .version(stored.id)
    }

    /// Returns true if a reaction to the message stands.
    static func stands(on remoteID: String, room: Int64, _ db: Database) throws -> Bool {
        try db.cachedStatement(
            sql: "SELECT 1 FROM reaction WHERE room_id = ? AND remote_id = ? AND removed_at_us IS NULL LIMIT 1"
        ).first({
            $0.bind(1, room)
            $0.bind(2, remoteID)
        }) { _ in true } ?? false
    }
}

/// The reactions that came before their messages.
package struct StandingReactions {
    /// False in archives without reactions, which need no look-up.
    package var hasAny: Bool

    init(_ db: Database) throws {
        hasAny = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM reaction)") ?? false
    }

    /// Returns true if a reaction to the message stands.
    func stand(on remoteID: String, room: Int64, _ db: Database) throws -> Bool {
        try hasAny && ReactionTable.stands(on: remoteID, room: room, db)
    }
}
