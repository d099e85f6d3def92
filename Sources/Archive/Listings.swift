import ChatModel
import GRDB

extension Room {
    /// The rooms of an account, by name.
    static func readAll(_ account: AccountIdentity, _ db: Database) throws -> [Room] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT room.id, room_name.name, kind, messages,
                  (SELECT min(first) FROM (SELECT (SELECT id FROM message INDEXED BY message_room
                     WHERE room_id = room.id AND noise = value ORDER BY id LIMIT 1) AS first
                     FROM (SELECT 0 AS value UNION ALL SELECT 1))),
                  (SELECT max(last) FROM (SELECT (SELECT id FROM message INDEXED BY message_room
                     WHERE room_id = room.id AND noise = value ORDER BY id DESC LIMIT 1) AS last
                     FROM (SELECT 0 AS value UNION ALL SELECT 1))),
                  (SELECT min(from_us) FROM coverage WHERE room_id = room.id)
                FROM room JOIN room_name ON room_name.room_id = room.id AND room_name.last_seen_us IS NULL
                ORDER BY room_name.name, room.id
                """)
        return try rows.map { row in
            let kind: String = row[2]
            guard let kind = RoomReference.Kind(rawValue: kind) else {
                throw ArchiveError(code: .corrupt, detail: "a room of \(account.name) has the unknown kind \(kind)")
            }
            return Room(
                account: account.name, network: account.network, id: row[0], name: row[1], kind: kind,
                messages: row[3], firstMessage: (row[4] as Int64?).map(MessageID.init(microseconds:)),
                lastMessage: (row[5] as Int64?).map(MessageID.init(microseconds:)),
                coveredFrom: (row[6] as Int64?).map(Timestamp.init(microseconds:)))
        }
    }
}
