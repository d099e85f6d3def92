import Bytes
package import ChatModel
package import FoundationEssentials
package import Records
package import SQLite
import Schema

/// Takes away a person's names, reactions, pictures and memberships.
package struct PersonRemoval {
    let user: Int64
    let now: Timestamp
    /// True if messages still have the person as their sender, who then has no name.
    let staysAsSender: Bool
    let digests: ForgottenDigests

    package init(user: Int64, now: Timestamp, staysAsSender: Bool, digests: ForgottenDigests) {
        (self.user, self.now, self.staysAsSender, self.digests) = (user, now, staysAsSender, digests)
    }

    /// Returns the digests of the person's key and names.
    ///
    /// - Parameter end: The instant up to which everything of the person is forgotten, in microseconds since 1970.
    package func digests(until end: Int64, _ db: Database) throws -> [Data] {
        var book = PersonBook()
        // The names of a person who writes by a bridge may be others' on the network.
        var keys = try isBridged(db) ? [] : Set(names(db).map { ExactString(try book.folding(db).fold($0)) })
        if let key = try key(db) { keys.insert(ExactString(key)) }
        for key in try MergeBook.keys(mergedInto: user, db) { keys.insert(ExactString(key)) }
        return keys.map { digests.digest(person: $0.string, until: end) }
    }

    private func key(_ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT key FROM user WHERE id = ?", arguments: [user])
    }

    private func isBridged(_ db: Database) throws -> Bool { try key(db).map(BridgeKey.isBridged) ?? false }

    /// Returns the digests of the person's direct rooms, and of the words that name the person.
    package func remains(_ db: Database) throws -> [Data] {
        var book = RoomBook()
        let rooms = try directRooms(db).flatMap { room in
            let named = try String.fetchAll(
                db, sql: "SELECT name FROM room_name WHERE room_id = ?", arguments: [room.id])
            return try [room.key] + named.map { try book.folding(db).fold($0) }
        }
        return try rooms.map { digests.digest(directRoom: $0) } + words(naming: names(db), db).map(\.digest)
    }

    private func names(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT name FROM user_name WHERE user_id = ?", arguments: [user])
    }

    package func run(_ db: Database) throws {
        for words in try words(naming: names(db), db) { try words.remove(db) }
        try renameDirectRooms(db)
        try Self.removeRows(of: user, db)
        if staysAsSender {
            try db.execute(
                sql: "INSERT INTO user_name (user_id, name, first_seen_us) VALUES (?, ?, ?)",
                arguments: [user, ForgottenBook.personName, now.microseconds])
        }
    }

    /// Removes the names of a person, and all other rows that are about the person alone.
    static func removeRows(of user: Int64, _ db: Database) throws {
        try MergeBook.forget(user: user, db)
        let reacted = try Int64.fetchAll(
            db,
            sql: """
                SELECT DISTINCT message.id FROM reaction JOIN message USING (room_id, remote_id) WHERE user_id = ?
                """, arguments: [user])
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
                INSERT INTO change (what, subject_id)
                  SELECT DISTINCT \(Feed.nameCode), -room_id FROM room_owner WHERE user_id = :user ORDER BY room_id;
                DELETE FROM room_owner WHERE user_id = :user;
                UPDATE retraction SET user_id = NULL, reason = NULL WHERE user_id = :user;
                DELETE FROM own_name WHERE name COLLATE NOCASE IN (SELECT name FROM user_name WHERE user_id = :user)
                  AND name COLLATE NOCASE NOT IN (SELECT name FROM user_name WHERE user_id <> :user);
                DELETE FROM user_name WHERE user_id = :user;
                DELETE FROM bridge WHERE bot_id = :user;
                """,
            arguments: ["user": user])
        var texts = MessageTexts()
        try texts.noteReactions(of: reacted, db)
        try texts.flush(db)
        // The row stays, with its number alone: to delete it, SQLite would look through every message for its sender.
        try db.execute(sql: "UPDATE user SET key = NULL WHERE id = ?", arguments: [user])
        try db.execute(sql: "DELETE FROM sender_count WHERE sender_id = ? AND messages = 0", arguments: [user])
        try Feed.forgotten(userID: user, db)
    }

    /// Returns the direct rooms with the person: their partner is the person, or they have the person's key, or the
    /// person's name in theirs. Logs of some programs don't say which rooms are direct: there, a room is one if it has
    /// the person's name and at most one other person wrote in it.
    private func directRooms(_ db: Database) throws -> [(id: Int64, key: String)] {
        // A room with the name of a person who writes by a bridge is another's.
        if try isBridged(db) { return [] }
        return try db.all(
            sql: """
                SELECT id, key FROM room WHERE partner_id = :user
                  OR kind = 'direct' AND partner_id IS NULL AND (key = (SELECT key FROM user WHERE id = :user)
                    OR EXISTS (SELECT 1 FROM room_name, user_name WHERE room_id = room.id AND user_id = :user
                      AND length(user_name.name) > 2 AND instr(lower(room_name.name), lower(user_name.name)) > 0))
                  OR kind <> 'server' AND EXISTS (SELECT 1 FROM room_name JOIN user_name
                      ON user_name.name = room_name.name COLLATE NOCASE WHERE room_id = room.id AND user_id = :user)
                    AND (SELECT count(*) FROM sender_count
                      WHERE room_id = room.id AND sender_id <> :user AND messages > 0) < 2
                """, arguments: ["user": user]
        ) { try ($0.value(0), $0.value(1)) }
    }

    /// A direct room has the person's name and key.
    private func renameDirectRooms(_ db: Database) throws {
        for room in try directRooms(db) {
            try db.execute(
                sql: """
                    DELETE FROM room_name WHERE room_id = :room;
                    DELETE FROM room_picture WHERE room_id = :room;
                    DELETE FROM room_description WHERE room_id = :room;
                    DELETE FROM room_owner WHERE room_id = :room;
                    INSERT INTO room_name (room_id, name, first_seen_us) VALUES (:room, :name, :time);
                    UPDATE room SET partner_id = NULL, key = :key WHERE id = :room;
                    """,
                arguments: [
                    "room": room.id, "name": ForgottenBook.personName, "time": now.microseconds,
                    "key": ForgottenBook.key(digests.digest(directRoom: room.key)),
                ])
            try Feed.name(roomID: room.id, db)
        }
    }

    /// Bytes that name the person, and their removal.
    private struct Words {
        var digest: Data
        var remove: (Database) throws -> Void
    }

    /// Returns what could not be stored or read, and words of the server, if they have a name of the person. A name of
    /// one or two bytes is in too much.
    private func words(naming names: [String], _ db: Database) throws -> [Words] {
        let names = names.filter { $0.utf8.count > 2 }.map { Data($0.utf8) }
        /// Returns the words in the first column of the rows, whose other columns the removal receives.
        func rows(_ sql: String, _ remove: @escaping ([Int64], Database) throws -> Void) throws -> [Words] {
            try db.all(sql: sql) { row -> Words? in
                let bytes: Data = try row.value(0)
                guard names.contains(where: { bytes.firstRange(of: $0) != nil }) else { return nil }
                let columns = try row.values.indices.dropFirst().map { try row.integer(Int32($0)) }
                return Words(digest: digests.digest(words: bytes)) { try remove(columns, $0) }
            }.compactMap(\.self)
        }
        return try rows("SELECT payload, id FROM failure WHERE payload IS NOT NULL") { row, db in
            try db.execute(sql: "DELETE FROM failure WHERE id = ?", arguments: [row[0]])
        }
            + rows("SELECT CAST(detail AS BLOB), id FROM session WHERE detail IS NOT NULL") { row, db in
                try db.execute(sql: "UPDATE session SET detail = NULL WHERE id = ?", arguments: [row[0]])
                try Feed.session(SessionID(rawValue: row[0]), db)
            }
            + rows("SELECT CAST(detail AS BLOB), room_id, from_us FROM gap_note WHERE detail IS NOT NULL") { row, db in
                try db.execute(
                    sql: "UPDATE gap_note SET detail = NULL WHERE room_id = ? AND from_us = ?",
                    arguments: [row[0], row[1]])
                try Feed.coverage(roomID: row[0], db)
            }
            + rows("SELECT CAST(detail AS BLOB), room_id FROM room_trouble WHERE detail IS NOT NULL") { row, db in
                try db.execute(sql: "UPDATE room_trouble SET detail = NULL WHERE room_id = ?", arguments: [row[0]])
                try Feed.coverage(roomID: row[0], db)
            }
    }
}
