import ChatModel
import GRDB

extension StoredPoint {
    /// The latest of a room's messages through an instant: `lookback` of its noise, and as many of the rest.
    private static func latest(
        room: Int64, from first: Int64, through end: Int64, _ db: Database
    ) throws -> [StoredPoint] {
        let runs = [0, 1].map { noise in
            """
            SELECT id FROM (SELECT id FROM message INDEXED BY message_room
              WHERE room_id = ?1 AND noise = \(noise) AND id BETWEEN ?2 AND ?3 ORDER BY id DESC LIMIT \(lookback))
            """
        }
        let statement = try db.cachedStatement(
            sql: """
                SELECT m.id, m.kind, m.remote_id, m.source_time_us, m.received_at_us IS NOT NULL, m.body,
                  (SELECT name FROM user_name WHERE user_id = m.sender_id AND last_seen_us IS NULL)
                FROM (\(runs.joined(separator: " UNION ALL "))) AS run CROSS JOIN message AS m ON m.id = run.id
                ORDER BY m.id DESC
                """)
        return try Row.fetchAll(statement, arguments: [room, first, end]).map { row in
            let (id, claim, isToldLater): (Int64, Int64?, Bool) = (row[0], row[3], row[4])
            let time = claim ?? (isToldLater ? id : nil)
            return StoredPoint(
                id: MessageID(microseconds: id), kind: try MessageKind(code: row[1]), remoteID: row[2],
                sourceTime: time.map(Timestamp.init(microseconds:)), sender: row[6], body: row[5])
        }
    }

    static func anchor(room key: String, _ db: Database) throws -> StoredPoint? {
        guard let end = try CoverageLedger.completeUntil(key: key, db), let room = try number(of: key, db),
            let first = try Int64.fetchOne(
                db, sql: "SELECT min(from_us) FROM coverage WHERE room_id = ?", arguments: [room])
        else { return nil }
        let points = try latest(room: room, from: first, through: end.microseconds, db)
        return points.first { $0.remoteID != nil } ?? points.first
    }

    static func last(room key: String, _ db: Database) throws -> StoredPoint? {
        guard let room = try number(of: key, db) else { return nil }
        return try latest(room: room, from: .min, through: .max, db)
            .filter { $0.sourceTime?.isBelieved(at: $0.id.time) ?? false }
            .max { ($0.sourceTime ?? .earliestBelieved, $0.id) < ($1.sourceTime ?? .earliestBelieved, $1.id) }
    }

    private static func number(of key: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT id FROM room WHERE key = ?", arguments: [key])
    }
}

extension RoomReference {
    static func expected(kind: Kind, _ db: Database) throws -> [RoomReference] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT key, name FROM room JOIN room_name ON room_id = room.id AND last_seen_us IS NULL
                WHERE kind = ? AND left_at_us IS NULL AND gone_at_us IS NULL
                  AND (EXISTS (SELECT 1 FROM coverage WHERE room_id = room.id)
                    OR EXISTS (SELECT 1 FROM room_trouble WHERE room_id = room.id))
                ORDER BY room.id
                """,
            arguments: [kind.rawValue])
        return rows.map { RoomReference(key: $0[0], name: $0[1], kind: kind) }
    }

    static func known(kind: Kind, limit: Int, _ db: Database) throws -> [RoomReference] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT key, name FROM room JOIN room_name ON room_id = room.id AND last_seen_us IS NULL
                WHERE kind = ? AND gone_at_us IS NULL
                ORDER BY (\(Room.lastMessage(of: "room.id"))) DESC, room.id DESC LIMIT ?
                """,
            arguments: [kind.rawValue, limit])
        return rows.map { RoomReference(key: $0[0], name: $0[1], kind: kind) }
    }
}
