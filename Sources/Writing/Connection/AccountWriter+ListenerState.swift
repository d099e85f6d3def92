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
        try await read { db in try StoredRooms.listedRooms(db) }
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
        try await read { db in try StoredRooms.partners(db) }
    }

    package func workspaces() async throws -> [String: WorkspaceReference] {
        try await read { db in try StoredRooms.workspaces(db) }
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

    package func receivedIDs(
        _ ids: [String], room: RoomReference, until time: Timestamp, countsHistory: Bool
    ) async throws -> Set<String> {
        try await read { db in
            let key = try ForgottenBook.storedKey(of: room, db)
            return try StoredPoint.received(
                ids, room: key, until: time, countsHistory: countsHistory, ReadTransaction(db))
        }
    }

    package func lastOriginals(room: RoomReference, limit: Int) async throws -> [StoredOriginal] {
        try await read { db in
            let key = try ForgottenBook.storedKey(of: room, db)
            return try StoredOriginal.newest(room: key, limit: limit, ReadTransaction(db))
        }
    }

    package func encryptedRooms() async throws -> [RoomReference] {
        try await read { db in try EncryptedMessages.rooms(ReadTransaction(db)) }
    }

    package func encryptedMessages(
        room: RoomReference, after: MessageID?, limit: Int, areDecrypted: Bool
    ) async throws -> [EncryptedMessage] {
        try await read { db in
            let key = try ForgottenBook.storedKey(of: room, db)
            return try EncryptedMessage.read(
                room: key, after: after, limit: limit, areDecrypted: areDecrypted, ReadTransaction(db))
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
