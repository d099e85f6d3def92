import ChatModel
import Foundation
import GRDB
import Synchronization

/// The limits on the space that a data folder may take. They limit what is added: reading, compressing, forgetting and
/// the ends of sessions need none.
package final class StorageLimits: Sendable {
    /// The largest sizes of accounts in bytes, by name.
    private let largest = Mutex<[String: Int64]>([:])

    init() {}

    /// Sets the limits.
    ///
    /// - Parameters:
    ///   - accounts: The largest size of accounts' files, with the files that came with messages, in bytes, by name.
    ///   - keepFree: The bytes to leave free on every disk to which this process writes.
    package func set(accounts: [String: Int64], keepFree: Int64?) {
        largest.withLock { $0 = accounts }
        FreeSpace.kept.store(keepFree ?? 0, ordering: .relaxed)
    }

    /// True if the account may not grow without end.
    func isLimited(_ account: String) -> Bool {
        FreeSpace.kept.load(ordering: .relaxed) > 0 || largest(account) != nil
    }

    func largest(_ account: String) -> Int64? { largest.withLock { $0[account] } }
}

extension AccountFolder {
    /// Requires that an account may grow.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to add.
    ///   - files: The size of the files that came with messages, in bytes; asked only if the account has a limit.
    /// - Throws: ``ArchiveError`` with `quota`.
    func requireRoom(
        for bytes: Int64, of account: String, _ limits: StorageLimits, files: () throws -> Int64
    ) throws {
        try FreeSpace.requireKept(bytes, in: path)
        try requireSize(for: bytes, of: account, limits, files: files)
    }

    /// Requires that an account stays within its own limit; not the disk, which may have the bytes already.
    func requireSize(
        for bytes: Int64, of account: String, _ limits: StorageLimits, files: () throws -> Int64
    ) throws {
        guard let limit = limits.largest(account) else { return }
        let size = try (Self.size(database) ?? 0) + files()
        guard bytes <= limit - size else {
            throw ArchiveError(
                code: .quota,
                detail: "account '\(account)' has \(size) bytes, and its max_size is \(limit)")
        }
    }
}

extension AccountWriter {
    /// The bytes that a message adds to a file, without its text.
    static let messageBytes: Int64 = 200

    /// Requires that the account may grow by the approximate number of bytes.
    func requireRoom(for bytes: Int64) async throws {
        guard limits.isLimited(account.name) else { return }
        // On the connection's thread, because a disk may not answer.
        try await read { [account, folder, limits] db in
            try folder.requireRoom(for: bytes, of: account.name, limits) { try Self.fileBytes(db) }
        }
    }

    /// Requires that the account may have a file that the disk has already.
    func requireSize(for bytes: Int64) async throws {
        guard limits.isLimited(account.name) else { return }
        try await read { [account, folder, limits] db in
            try folder.requireSize(for: bytes, of: account.name, limits) { try Self.fileBytes(db) }
        }
    }

    private static func fileBytes(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT ifnull(sum(bytes), 0) FROM content")) ?? 0
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
