import ChatModel
import GRDB

/// How far a room has been read: a message is unread when it is later than the marker, or was stored after it was set.
struct ReadMarker: Sendable {
    var through: MessageID
    /// The feed's end when it was set.
    var seq: Int64
    var setAt: Timestamp

    static func read(room: Int64, _ db: Database) throws -> ReadMarker? {
        let statement = try db.cachedStatement(
            sql: "SELECT through_us, seq, set_at_us FROM read_marker WHERE room_id = ?")
        return try Row.fetchOne(statement, arguments: [room]).map { row in
            try ReadMarker(through: row.value(0), seq: row.value(1), setAt: row.value(2))
        }
    }

    /// - Parameter through: The last message read; nil for all that is stored.
    /// - Throws: ``ArchiveError`` when there is no such room.
    static func set(room: Int64, through: MessageID?, at time: Timestamp, _ db: Database) throws {
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM room WHERE id = ?)", arguments: [room]) == true
        else { throw ArchiveError(code: .unknownRoom, detail: "there is no room \(room) in the account") }
        try db.execute(
            sql: """
                INSERT INTO read_marker (room_id, through_us, seq, set_at_us) VALUES (?, ?, ?, ?)
                ON CONFLICT (room_id) DO UPDATE
                SET through_us = excluded.through_us, seq = excluded.seq, set_at_us = excluded.set_at_us
                """,
            arguments: [
                room, try through?.microseconds ?? newest(in: room, db) ?? time.microseconds,
                try FeedPosition.end(db).seq, time.microseconds,
            ])
    }

    private static func newest(in room: Int64, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT last FROM (\(Room.lastMessage(of: "?"))) WHERE last IS NOT NULL", arguments: [room])
    }
}
