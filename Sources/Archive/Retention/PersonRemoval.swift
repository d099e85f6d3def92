import ChatModel
import Foundation
import GRDB

/// Takes away a person's names, reactions, pictures and memberships.
struct PersonRemoval {
    let user: Int64
    let now: Timestamp
    /// True if messages still have the person as their sender, who then has no name.
    let staysAsSender: Bool

    /// The name of a person who is forgotten, and of a direct room with them.
    static let name = "(forgotten)"

    func run(_ db: Database) throws {
        let names = try String.fetchAll(db, sql: "SELECT name FROM user_name WHERE user_id = ?", arguments: [user])
        try removeFailures(naming: names, db)
        try db.execute(
            sql: """
                INSERT INTO change (what, subject_id)
                  SELECT DISTINCT \(Feed.reactionCode), message.id FROM reaction JOIN message USING (room_id, remote_id)
                  WHERE user_id = :user ORDER BY message.id;
                INSERT INTO change (what, subject_id)
                  SELECT \(Feed.memberCode), room_id FROM membership WHERE user_id = :user ORDER BY room_id;
                DELETE FROM reaction WHERE user_id = :user;
                DELETE FROM membership WHERE user_id = :user;
                DELETE FROM user_picture WHERE user_id = :user;
                UPDATE retraction SET user_id = NULL, reason = NULL WHERE user_id = :user;
                DELETE FROM user_name WHERE user_id = :user;
                """,
            arguments: ["user": user])
        try renameDirectRooms(db)
        // The row stays, with its number alone: to delete it, SQLite would look through every message for its sender.
        try db.execute(sql: "UPDATE user SET key = NULL WHERE id = ?", arguments: [user])
        if staysAsSender {
            try db.execute(
                sql: "INSERT INTO user_name (user_id, name, first_seen_us) VALUES (?, ?, ?)",
                arguments: [user, Self.name, now.microseconds])
        } else {
            try db.execute(sql: "DELETE FROM sender_count WHERE sender_id = ? AND messages = 0", arguments: [user])
        }
        try Feed.forgotten(userID: user, db)
    }

    /// A direct room has the person's name and key.
    private func renameDirectRooms(_ db: Database) throws {
        for room in try Int64.fetchAll(db, sql: "SELECT id FROM room WHERE partner_id = ?", arguments: [user]) {
            try db.execute(
                sql: """
                    DELETE FROM room_name WHERE room_id = :room;
                    INSERT INTO room_name (room_id, name, first_seen_us) VALUES (:room, :name, :time);
                    UPDATE room SET partner_id = NULL, key = :key WHERE id = :room;
                    """,
                arguments: [
                    "room": room, "name": Self.name, "time": now.microseconds, "key": "\(Self.name) \(room)",
                ])
            try Feed.name(roomID: room, db)
        }
    }

    /// Removes what could not be stored or read if it has a name of the person. A name of one or two bytes is in too much.
    private func removeFailures(naming names: [String], _ db: Database) throws {
        let names = names.filter { $0.utf8.count > 2 }.map { Data($0.utf8) }
        let failures = try Row.fetchAll(db, sql: "SELECT id, payload FROM failure")
        for failure in failures {
            let payload: Data = try failure.value(1) ?? Data()
            guard names.contains(where: { payload.range(of: $0) != nil }) else { continue }
            try db.execute(sql: "DELETE FROM failure WHERE id = ?", arguments: [failure.value(0) as Int64])
        }
    }
}
