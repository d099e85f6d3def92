package import ChatModel
import Reading
import Records
import SQLite
import Schema

extension AccountWriter: ListenerState {
    package func lastReceipt() async throws -> StoredReceipt? {
        try await read { db in try StoredReceipt.last(ReadTransaction(db)) }
    }

    package func requireRoom() async throws { try await requireRoom(for: 0) }

    package func knownNames(room: RoomReference, limit: Int) async throws -> [String] {
        // Reads the users of the whole account, because a list for one room would need its own index. Networks that
        // need the list have one room.
        try await read { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM user_name WHERE last_seen_us IS NULL ORDER BY user_id DESC LIMIT ?",
                arguments: [limit])
        }
    }

    package func completeUntil(room: RoomReference) async throws -> Timestamp? {
        try await read { db in
            try CoverageLedger.completeUntil(key: ForgottenBook.storedKey(of: room, db), ReadTransaction(db))
        }
    }

    package func listedRooms() async throws -> [RoomReference] {
        try await read { db in
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
    }

    package func channels() async throws -> [KnownChannel] {
        try await read { db in try KnownChannel.readAll(db) }
    }

    package func namesakes() async throws -> [Namesakes] {
        try await read { db in try Namesakes.readAll(ReadTransaction(db)) }
    }

    package func expectedRooms(kind: RoomReference.Kind) async throws -> [RoomReference] {
        try await read { db in try RoomReference.expected(kind: kind, ReadTransaction(db)) }
    }

    package func partners() async throws -> [String: UserReference] {
        // A partner whose key another user has taken has none. The key of the room stands for it.
        try await read { db in
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
    }

    package func workspaces() async throws -> [String: WorkspaceReference] {
        try await read { db in
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

    package func historyStart(room: RoomReference, retriesLost: Bool) async throws -> HistoryStart? {
        try await read { db in
            let key = try ForgottenBook.storedKey(of: room, db)
            return try HistoryStart.find(room: key, retriesLost: retriesLost, ReadTransaction(db))
        }
    }

    package func lastMessages(room: RoomReference, limit: Int) async throws -> [StoredPoint] {
        try await read { db in
            let key = try ForgottenBook.storedKey(of: room, db)
            return try StoredPoint.newest(room: key, limit: limit, ReadTransaction(db))
        }
    }

    package func firstSessionEnd() async throws -> Timestamp? {
        try await read { db in
            try Timestamp.first(
                db,
                sql: """
                    SELECT heard_until_us FROM session WHERE id > 0 AND ended_at_us IS NOT NULL ORDER BY id LIMIT 1
                    """)
        }
    }

    package func reachedPlace() async throws -> String? {
        try await read { db in try String.fetchOne(db, sql: "SELECT place FROM network_place") }
    }

    package func unparsedChunks(limit: Int) async throws -> [JournalChunk] {
        try await read { db in try Journal.unparsed(limit: limit, db) }
    }
}
