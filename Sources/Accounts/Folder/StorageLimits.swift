import ChatModel
package import Files
import SQLite
import Synchronization

/// The limits on the space that a data folder may take. They limit what is added: reading, compressing, forgetting and
/// the ends of sessions need none.
package final class StorageLimits: Sendable {
    /// The largest sizes of accounts in bytes, by name.
    private let largest = Mutex<[String: Int64]>([:])

    package init() {}

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
    package func isLimited(_ account: String) -> Bool {
        FreeSpace.kept.load(ordering: .relaxed) > 0 || largest(account) != nil
    }

    func largest(_ account: String) -> Int64? { largest.withLock { $0[account] } }
}

extension AccountFolder {
    /// Requires that an account may grow.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to add.
    ///   - size: The present size of the account, in bytes; asked only if the account has a limit.
    /// - Throws: ``ArchiveError`` with `quota`.
    package func requireRoom(
        for bytes: Int64, of account: String, _ limits: StorageLimits, size: () throws -> Int64
    ) throws {
        try FreeSpace.requireKept(bytes, in: path)
        try limits.requireSize(for: bytes, of: account, size: size)
    }

    /// The size of the account's file and of the files in its folder that came with messages, in bytes. It lacks what
    /// other connections have not moved to the file yet.
    package func size() throws(ArchiveError) -> Int64 {
        try (FolderEntries.size(of: database) ?? 0) + AttachmentFolder(of: self).bytes()
    }
}

extension StorageLimits {
    /// Requires that an account stays within its own limit; not the disk, which may have the bytes already.
    package func requireSize(for bytes: Int64, of account: String, size: () throws -> Int64) throws {
        guard let limit = largest(account) else { return }
        let size = try size()
        guard bytes <= limit - size else {
            // The catalog of a stranger's backup may name any size.
            let (needed, isTooLarge) = size.addingReportingOverflow(bytes)
            throw ArchiveError(
                code: .quota,
                detail: "account '\(account)' needs \(isTooLarge ? .max : needed) bytes, and its max_size is \(limit)")
        }
    }
}
