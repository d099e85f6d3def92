import Bytes
package import ChatModel
import Records
package import SQLite

/// An imported reaction, with the values of its row.
package struct ImportedReaction {
    var text: String
    package var person: ImportedPerson
    package var at: Int64
    package var removedAt: Int64?
    package var ownID: String?

    package init(_ reaction: ExactMessage.Reaction) {
        (text, person) = (reaction.text.keptDetail, reaction.person)
        (at, removedAt) = (reaction.at.microseconds, reaction.removedAt?.microseconds)
        ownID = reaction.ownID?.withoutNUL
    }

    init(_ reaction: ImportedMessage.Reaction, of message: ImportedMessage) {
        (text, person) = (reaction.text.keptDetail, reaction.person)
        at = (reaction.at ?? message.place ?? message.time).microseconds
    }

    /// Stores the reaction. A stored one is changed only by a later one from a full export. Returns true if anything
    /// changed.
    package func store(to remoteID: String, room: Int64, user: Int64, _ db: Database) throws -> Bool {
        try db.cachedStatement(
            sql: """
                INSERT INTO reaction (room_id, remote_id, user_id, text, at_us, removed_at_us, own_id)
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                ON CONFLICT DO UPDATE SET at_us = ?5, removed_at_us = ?6, own_id = ?7
                  WHERE ?8 AND \(Self.isLater)
                """
        ).execute(arguments: [room, remoteID, user, text, at, removedAt, ownID, person.isExact])
        return db.changesCount > 0
    }

    /// Returns true if an import of the reaction would change anything.
    package func isMissing(to remoteID: String, room: Int64, names: inout NameBook, _ db: Database) throws -> Bool {
        if let ownID, removedAt == nil {
            let retraction = try db.cachedStatement(
                sql: "SELECT 1 FROM retraction WHERE room_id = ? AND remote_id = ?")
            if try Int64.fetchOne(retraction, arguments: [room, ownID]) != nil { return false }
        }
        guard let user = try names.people.find(person, at: at, db) else { return true }
        let statement = try db.cachedStatement(
            sql: """
                SELECT ?7 AND \(Self.isLater) FROM reaction
                WHERE room_id = ?1 AND remote_id = ?2 AND user_id = ?3 AND text = ?4
                """)
        return try Bool.fetchOne(
            statement, arguments: [room, remoteID, user, text, at, removedAt, person.isExact]) ?? true
    }

    /// SQL that is true if the reaction, given at ?5 and taken back at ?6, is later than the stored one. Never null.
    private static let isLater = """
        (max(?5, ifnull(?6, ?5)) > max(at_us, ifnull(removed_at_us, at_us))
          OR removed_at_us IS NULL AND ifnull(?6, at_us - 1) >= at_us)
        """
}
