import Accounts
import ChatModel
import SQLite

extension AccountWriter {
    /// The bytes that a message with a short text adds to a file: 20,000 lines "word 1", "word 2"… of a log add 2.2 MB.
    package static let messageBytes: Int64 = 110

    /// Requires that the account may grow by the approximate number of bytes.
    package func requireRoom(for bytes: Int64) async throws {
        guard limits.isLimited(account.name) else { return }
        // On the connection's thread, because a disk may not answer.
        try await read { [account, folder, limits] db in
            try folder.requireRoom(for: bytes, of: account.name, limits) { try Self.size(db) }
        }
    }

    /// Requires that the account may have a file that the disk has already.
    package func requireSize(for bytes: Int64) async throws {
        guard limits.isLimited(account.name) else { return }
        try await read { [account, limits] db in
            try limits.requireSize(for: bytes, of: account.name) { try Self.size(db) }
        }
    }

    /// Returns the size of what the account's file has, also in SQLite's log and without its unused pages, and of the
    /// files that came with messages.
    private static func size(_ db: Database) throws -> Int64 {
        let sql = """
            SELECT (page_count - freelist_count) * page_size + (SELECT ifnull(sum(bytes), 0) FROM content)
            FROM pragma_page_count, pragma_freelist_count, pragma_page_size
            """
        return try Int64.fetchOne(db.cachedStatement(sql: sql)) ?? 0
    }
}

extension Collection where Element == ChatEvent {
    /// True if the events end a session or its attempts: they are stored without room, so that the archive knows its gap.
    var isEnd: Bool {
        allSatisfy { event in
            switch event {
            case .sessionEnded, .waiting: true
            default: false
            }
        }
    }
}
