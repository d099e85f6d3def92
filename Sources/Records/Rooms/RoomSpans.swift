import ChatModel
package import SQLite
import Schema

/// Keeps the first and the last message of each room (`room_span`).
package enum RoomSpans {
    /// Adds messages between two ids, both included, to a room.
    package static func extend(_ room: Int64, from first: Int64, to last: Int64, _ db: Database) throws {
        let insertion = try db.cachedStatement(
            sql: """
                INSERT INTO room_span (room_id, first_us, last_us) VALUES (?, ?, ?)
                ON CONFLICT (room_id) DO UPDATE
                SET first_us = min(first_us, excluded.first_us), last_us = max(last_us, excluded.last_us)
                """)
        try insertion.execute {
            $0.bind(1, room)
            $0.bind(2, first)
            $0.bind(3, last)
        }
    }

    /// Finds the ends of all rooms again.
    package static func reset(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM room_span")
        try settle(Set(Int64.fetchAll(db, sql: "SELECT id FROM room")), db)
    }

    /// Finds the ends of rooms again, after messages were removed or moved.
    package static func settle(_ rooms: Set<Int64>, _ db: Database) throws {
        let deletion = try db.cachedStatement(sql: "DELETE FROM room_span WHERE room_id = ?")
        let insertion = try db.cachedStatement(
            sql: """
                INSERT INTO room_span (room_id, first_us, last_us)
                SELECT ?1, (\(Room.firstMessage(of: "?1").file)), (\(Room.lastMessage(of: "?1").file))
                WHERE EXISTS (SELECT 1 FROM message INDEXED BY message_room WHERE room_id = ?1)
                """)
        for room in rooms {
            try deletion.execute { $0.bind(1, room) }
            try insertion.execute { $0.bind(1, room) }
        }
    }
}
