import ChatModel
import Records
import SQLite
import Schema

/// The stored rooms that a listener asks for when it connects.
enum StoredRooms {
    /// Returns the rooms of workspaces that the network still lists.
    static func listedRooms(_ db: Database) throws -> [RoomReference] {
        try db.all(
            sql: """
                SELECT key, name, kind FROM room JOIN room_name ON room_id = room.id AND last_seen_us IS NULL
                WHERE workspace_id IS NOT NULL AND left_at_us IS NULL AND gone_at_us IS NULL
                """
        ) { row in
            try RoomReference(
                key: row.value(0), name: row.value(1), kind: RoomReference.Kind(rawValue: row.value(2)) ?? .channel)
        }
    }

    /// Returns the partners of direct rooms by the rooms' keys.
    static func partners(_ db: Database) throws -> [String: UserReference] {
        // A partner whose key another user has taken has none. The key of the room stands for it.
        let rows: [(String, UserReference)] = try db.all(
            sql: """
                SELECT room.key, ifnull(user.key, room.key), user_name.name, is_self FROM room
                  JOIN user ON user.id = partner_id
                  JOIN user_name ON user_id = user.id AND user_name.last_seen_us IS NULL
                WHERE max(length(room.key), ifnull(length(user.key), 0), length(user_name.name))
                  <= \(RoomReference.maximumKeyLength)
                  AND EXISTS (SELECT 1 FROM room_name WHERE room_id = room.id)
                ORDER BY room.id LIMIT \(RoomReference.maximumKnown)
                """
        ) { row in
            try (row.value(0), UserReference(key: row.value(1), name: row.value(2), isSelf: row.value(3)))
        }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the workspaces of rooms by the rooms' keys.
    static func workspaces(_ db: Database) throws -> [String: WorkspaceReference] {
        let rows: [(String, WorkspaceReference)] = try db.all(
            sql: """
                SELECT room.key, workspace.key, workspace_name.name FROM room
                  JOIN workspace ON workspace.id = room.workspace_id
                  JOIN workspace_name
                    ON workspace_name.workspace_id = workspace.id AND workspace_name.last_seen_us IS NULL
                WHERE max(length(room.key), length(workspace.key), length(workspace_name.name))
                  <= \(RoomReference.maximumKeyLength)
                ORDER BY room.id LIMIT \(RoomReference.maximumKnown)
                """
        ) { row in
            try (row.value(0), WorkspaceReference(key: row.value(1), name: row.value(2)))
        }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
}
