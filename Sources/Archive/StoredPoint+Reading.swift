import ChatModel
import GRDB

extension StoredPoint {
    /// The latest of a room's messages through an instant: `lookback` of its noise, and as many of the rest.
    fileprivate static func latest(
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
}

extension HistoryStart {
    static func find(
        room key: String, hasEvents: Bool, retriesLost: Bool, _ db: Database
    ) throws -> HistoryStart? {
        let span = try Row.fetchOne(
            db,
            sql: """
                SELECT room_id, min(from_us) FROM coverage
                WHERE room_id = (SELECT id FROM room WHERE key = ?) GROUP BY room_id
                """,
            arguments: [key])
        guard let span, let end = try CoverageLedger.completeUntil(key: key, retriesLost: retriesLost, db) else {
            return nil
        }
        let points = try StoredPoint.latest(room: span[0], from: span[1], through: end.microseconds, db)
            .filter { hasEvents || !$0.kind.isNoise }
        return HistoryStart(completeUntil: end, anchor: points.first { $0.remoteID != nil } ?? points.first)
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
