import ChatModel
import Records
import SQLite
import Writing

/// Removes everything of a room but its messages.
///
/// The row in `room` stays, with its number alone, so that no later room gets the number: tokens, addresses and exports
/// name rooms by it. A channel that the listener is in, and a room in which something was said meanwhile, keeps its key and
/// today's name.
package struct RoomRemoval {
    let room: Int64
    let now: Timestamp

    /// The number of rows that are removed at once.
    private static let atOnce = 2000

    /// The tables that may have many rows of a room, with the rest of their keys, and the rows that stay as long as the
    /// room has the message. The people of a bridge are in no room; ``RoomPeople`` noted them.
    private static let tables: [(name: String, key: String, stays: String)] = [
        ("late", "seq", "EXISTS (SELECT 1 FROM message WHERE id = t.message_id)"),
        (
            "reaction", "remote_id, user_id, text",
            "EXISTS (SELECT 1 FROM message AS m WHERE m.room_id = t.room_id AND m.remote_id = t.remote_id)"
        ),
        (
            "retraction", "remote_id",
            "EXISTS (SELECT 1 FROM message AS m WHERE m.room_id = t.room_id AND m.remote_id = t.remote_id)"
        ),
        (
            "membership", "user_id",
            """
            EXISTS (SELECT 1 FROM sender_count AS c WHERE c.room_id = t.room_id AND sender_id = user_id AND messages > 0)
              AND (SELECT \(BridgeBook.isOwn(key: "key")) FROM user WHERE id = user_id)
            """
        ),
        ("sender_count", "sender_id", "messages > 0"),
        ("coverage", "id", "to_us IS NULL"), ("imported_span", "from_us", "0"), ("gap_note", "from_us", "0"),
        ("failure", "id", "0"), ("purge", "id", "rule = '\(RetentionRule.erase.text)'"),
    ]

    /// The key of an erased room begins with it. No room of a network or a log has such a key, because random digits follow.
    package static let erased = "(erased) "

    /// Removes the next rows.
    ///
    /// - Returns: False if there may be more.
    func remove(_ db: Database) throws -> Bool {
        var isDone = true
        try db.withSecureDelete {
            for table in Self.tables {
                try db.execute(
                    sql: """
                        DELETE FROM \(table.name) WHERE (room_id, \(table.key)) IN (
                          SELECT room_id, \(table.key) FROM \(table.name) AS t
                          WHERE room_id = ? AND NOT (\(table.stays)) LIMIT \(Self.atOnce))
                        """, arguments: [room])
                if db.changesCount == Self.atOnce {
                    isDone = false
                    return
                }
            }
            try removeRest(db)
        }
        return isDone
    }

    private func removeRest(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM history_place WHERE room_id = :room;
                DELETE FROM room_trouble WHERE room_id = :room;
                DELETE FROM read_marker WHERE room_id = :room;
                """, arguments: ["room": room])
        if try isKept(db) { try keepName(db) } else { try removeName(db) }
        try db.execute(sql: ForgottenBook.scrubIsDue)
        try Feed.name(roomID: room, db)
        try Feed.coverage(roomID: room, db)
        try Feed.members(roomID: room, db)
        try Feed.merged(roomID: room, db)
    }

    private func isKept(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT messages > 0 OR kind <> 'direct' AND EXISTS (
                  SELECT 1 FROM coverage WHERE room_id = room.id AND to_us IS NULL)
                FROM room WHERE id = ?
                """, arguments: [room]) ?? false
    }

    /// Keeps what the network's list says of the room today. The room is complete from now on. History from before is never
    /// requested.
    private func keepName(_ db: Database) throws {
        let session = try Int64.fetchOne(
            db, sql: "SELECT session_id FROM coverage WHERE room_id = ? AND to_us IS NULL", arguments: [room])
        let start = try CoverageLedger.networkTime(now, session.map(SessionID.init(rawValue:)), db)
        try db.execute(
            sql: """
                UPDATE coverage SET from_us = max(from_us, :start) WHERE room_id = :room AND to_us IS NULL;
                DELETE FROM room_name WHERE room_id = :room AND last_seen_us IS NOT NULL;
                DELETE FROM room_picture WHERE room_id = :room AND last_seen_us IS NOT NULL;
                DELETE FROM room_description WHERE room_id = :room AND last_seen_us IS NOT NULL;
                DELETE FROM room_owner WHERE room_id = :room AND last_seen_us IS NOT NULL;
                UPDATE room SET asked_back_to_us = 0 WHERE id = :room;
                """, arguments: ["room": room, "start": start.microseconds])
    }

    /// A room that was merged into another leaves its key, by which what comes later goes to the other.
    private func removeName(_ db: Database) throws {
        let key = "'\(Self.erased)' || lower(hex(randomblob(16)))"
        let rooms = Merging.Kind.rooms.rawValue
        try db.execute(
            sql: """
                DELETE FROM coverage WHERE room_id = :room;
                DELETE FROM room_name WHERE room_id = :room;
                DELETE FROM room_picture WHERE room_id = :room;
                DELETE FROM room_description WHERE room_id = :room;
                DELETE FROM room_owner WHERE room_id = :room;
                UPDATE room SET key = \(key) WHERE id IN (
                  SELECT :room WHERE NOT EXISTS (SELECT 1 FROM merge WHERE what = \(rooms) AND from_id = :room)
                  UNION SELECT from_id FROM merge WHERE what = \(rooms) AND into_id = :room);
                DELETE FROM merge WHERE what = \(rooms) AND into_id = :room;
                UPDATE room SET workspace_id = NULL, partner_id = NULL, left_at_us = NULL, gone_at_us = NULL,
                  asked_back_to_us = NULL WHERE id = :room;
                """, arguments: ["room": room])
    }
}
