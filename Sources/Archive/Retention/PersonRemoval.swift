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
        try removeWords(naming: names, db)
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

    /// Removes what could not be stored or read, and words of the server, if they have a name of the person. A name of
    /// one or two bytes is in too much.
    private func removeWords(naming names: [String], _ db: Database) throws {
        let names = names.filter { $0.utf8.count > 2 }.map { Data($0.utf8) }
        /// Returns the numbers of the rows whose first column has a name; 0 for NULL.
        func rows(_ sql: String) throws -> [[Int64]] {
            try Row.fetchAll(db, sql: sql).compactMap { row in
                let bytes: Data = try row.value(0)
                guard names.contains(where: { bytes.range(of: $0) != nil }) else { return nil }
                return try (1..<row.count).map { try row.value($0) }
            }
        }
        for row in try rows("SELECT payload, id FROM failure WHERE payload IS NOT NULL") {
            try db.execute(sql: "DELETE FROM failure WHERE id = ?", arguments: [row[0]])
        }
        for row in try rows("SELECT CAST(detail AS BLOB), id FROM session WHERE detail IS NOT NULL") {
            try db.execute(sql: "UPDATE session SET detail = NULL WHERE id = ?", arguments: [row[0]])
            try Feed.session(SessionID(rawValue: row[0]), db)
        }
        for row in try rows("SELECT CAST(detail AS BLOB), room_id, from_us FROM gap_note WHERE detail IS NOT NULL") {
            try db.execute(
                sql: "UPDATE gap_note SET detail = NULL WHERE room_id = ? AND from_us = ?", arguments: [row[0], row[1]])
            try Feed.coverage(roomID: row[0], db)
        }
        for row in try rows("SELECT CAST(detail AS BLOB), room_id FROM room_trouble WHERE detail IS NOT NULL") {
            try db.execute(sql: "UPDATE room_trouble SET detail = NULL WHERE room_id = ?", arguments: [row[0]])
            try Feed.coverage(roomID: row[0], db)
        }
    }
}
