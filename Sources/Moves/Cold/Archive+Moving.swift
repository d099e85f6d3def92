import Accounts
import Archive
import Bytes
package import ChatModel
package import Files
import Glibc

/// Compresses, restores, erases and recovers accounts.
extension Archive {
    /// The zstd levels that ``evict(account:level:progress:)`` accepts.
    package static let coldLevels = ColdFile.levels
    /// The usual zstd level.
    package static let coldLevel = ColdFile.defaultLevel

    /// Compresses the account's file. Does nothing when the account is cold.
    ///
    /// - Parameters:
    ///   - level: The zstd level, 1 to 19.
    ///   - recipients: The public keys to encrypt to; nil for none.
    ///   - progress: Receives the number of bytes done.
    /// - Throws: ``ArchiveError`` with `locked` if the account is in use.
    package func evict(
        account: String, level: Int, recipients: AgeRecipients? = nil, progress: @Sendable (Int64) -> Void = { _ in }
    ) throws -> AccountSummary {
        try move(account) { move, entry in
            try withoutActuallyEscaping(progress) { progress in
                var move = move
                (move.level, move.recipients, move.progress) = (level, recipients, progress)
                return try move.evictIfNeeded(try move.recover(entry))
            }
        }
    }

    /// Writes an account's file again without its unused pages.
    ///
    /// - Throws: ``ArchiveError`` with `locked` if the account is in use.
    package func compact(account: String) throws -> AccountSummary {
        try move(account) { move, entry in
            let entry = try move.recover(entry)
            guard entry.cold == nil else { throw ArchiveError.compressed([entry.account.name]) }
            return try move.compact(entry)
        }
    }

    /// Compresses the least recently used accounts until the hot ones are within the limits. Skips an account that is
    /// in use, and continues with the next. Without a limit on bytes, the hot accounts may take half of the space that they
    /// and the free part of the disk have together; that they exceed this is not an error.
    ///
    /// - Parameters:
    ///   - check: Runs between accounts and with each piece of a file; its error ends the call there and leaves that
    ///     account unchanged.
    ///   - progress: Receives the number of bytes done of an account.
    package func evictOver(
        _ limits: HotLimits, check: @Sendable () throws -> Void = {},
        progress: @Sendable (_ account: String, _ bytes: Int64) -> Void = { _, _ in }
    ) throws -> HotReport {
        // Adds the folders that the catalog does not know yet, because their accounts may be hot and count for the
        // limits.
        _ = try dataFolder.entries(check: check)
        let hot = try dataFolder.catalog.hotEntries().map { entry in
            (entry: entry, bytes: dataFolder.folder(of: entry).databaseBytes)
        }
        var report = HotReport()
        (report.accounts, report.bytes) = (hot.count, hot.reduce(0) { $0 + $1.bytes })
        let free = limits.bytes == nil ? disk?.free : nil
        let usual = free.map { HotLimits.usualBytes(hot: report.bytes, free: $0) } ?? .max
        for (entry, bytes) in hot {
            guard limits.isOver(accounts: report.accounts, bytes: report.bytes) || report.bytes > usual else { break }
            let name = entry.account.name
            do {
                let evicted = try evict(entry, limits) { bytes in
                    try check()
                    progress(name, bytes)
                }
                if let evicted { report.evicted.append(evicted) }
                report.accounts -= 1
                report.bytes -= bytes
            } catch let error as ArchiveError {
                report.failed.append(SkippedAccount(account: name, reason: error.code.rawValue, detail: error.detail))
            }
        }
        report.isOver = limits.isOver(accounts: report.accounts, bytes: report.bytes)
        return report
    }

    /// Compresses an account at once.
    ///
    /// - Throws: ``ArchiveError`` with `locked` if the account is in use.
    private func evict(
        _ entry: Catalog.Entry, _ limits: HotLimits, _ progress: ColdFile.Progress
    ) throws -> AccountSummary? {
        var summary: AccountSummary?
        try withoutActuallyEscaping(progress) { progress in
            let isDone = try dataFolder.moving(entry.directory) { move, entry in
                var move = move
                (move.level, move.recipients, move.progress) = (limits.level, limits.recipients, progress)
                let evicted = try move.evictIfNeeded(try move.recover(entry))
                summary = evicted.cold.map { AccountSummary(evicted, $0, in: dataFolder.folder(of: evicted)) }
            }
            guard isDone else { throw dataFolder.inUse(entry) }
        }
        return summary
    }

    /// Completes or rolls back moves that a crash interrupted, in every account that is not in use.
    ///
    /// - Parameters:
    ///   - check: Runs between accounts and with each piece of a file; its error ends the call there, and the next call
    ///     does the remaining work.
    ///   - report: Receives the error of each account that remains unchanged.
    package func recover(
        check: @Sendable () throws -> Void = {}, report: @Sendable (ArchiveError) -> Void
    ) throws {
        try removeErased()
        try removeUnfinishedAccount()
        try AccountPlacing.removeUnfinished(in: dataFolder)
        for entry in try dataFolder.entries(check: check) {
            try check()
            do {
                _ = try dataFolder.moving(entry.directory) { move, entry in _ = try move.recover(entry) }
            } catch let error as ArchiveError {
                report(error)
            }
        }
    }

    /// Requires that ``erase(account:)`` would remove every file of an account.
    ///
    /// - Throws: ``ArchiveError`` with `linked` if the account's folder is or has a symbolic link.
    package func requireErasable(_ account: AccountSummary) throws {
        try LinkedFiles(in: account.folder).requireNone()
    }

    /// Removes an account with all its files. First renames its folder to a name that no account can have, so that a crash
    /// leaves either the whole account or a folder that ``recover(check:report:)`` removes.
    ///
    /// - Returns: A summary of the account before its removal.
    /// - Throws: ``ArchiveError`` with `locked` if the account is in use, and with `linked` as
    ///   ``requireErasable(_:)``.
    package func erase(account: String) throws -> AccountSummary {
        let account = account.withoutNUL
        try removeErased()
        if let entry = try dataFolder.entry(named: account) {
            try LinkedFiles(in: dataFolder.folder(of: entry).path).requireNone()
        }
        let summary = try move(account) { _, entry in entry }
        guard let entry = try dataFolder.entry(named: account) else { return summary }
        let path = dataFolder.folder(of: entry).path
        let isDone = try dataFolder.moving(entry.directory) { _, _ in
            try FolderEntries.rename(path, to: dataFolder.accountsPath + "/" + Self.erased + entry.directory)
            try FolderEntries.synchronize(dataFolder.accountsPath)
            try dataFolder.catalog.remove(directory: entry.directory)
            try removeErased()
        }
        guard isDone else { throw dataFolder.inUse(entry) }
        return summary
    }

    /// Makes the account's file plain again. Does nothing when the account is hot.
    ///
    /// - Parameter progress: Receives the number of bytes done.
    /// - Throws: ``ArchiveError`` with `locked` if the account is in use.
    package func restore(
        account: String, progress: @Sendable (Int64) -> Void = { _ in }
    ) throws -> AccountSummary {
        try move(account) { move, entry in
            try withoutActuallyEscaping(progress) { progress in
                var move = move
                move.progress = progress
                return try move.restore(try move.recover(entry))
            }
        }
    }

    private static let erased = ".erased-"

    /// Removes the accounts whose erasure a crash interrupted.
    private func removeErased() throws {
        let path = dataFolder.accountsPath
        if access(path, F_OK) != 0, errno == ENOENT { return }
        for name in try FolderEntries.names(in: path) where name.hasPrefix(Self.erased) {
            try FolderEntries.removeAll(path + "/" + name)
            try FolderEntries.synchronize(path)
        }
    }

    /// Removes an account whose creation a crash interrupted.
    private func removeUnfinishedAccount() throws {
        let path = dataFolder.accountsPath
        guard access(path, F_OK) == 0, let making = try FileLock(folder: path) else { return }
        defer { withExtendedLifetime(making) {} }
        try FolderEntries.removeAll(dataFolder.unfinishedAccount)
    }

    /// - Throws: ``ArchiveError`` with `locked` if the account is still in use after ``DataFolder/lockTimeout``.
    private func move(
        _ account: String, _ body: (AccountMove, Catalog.Entry) throws -> Catalog.Entry
    ) throws -> AccountSummary {
        let account = account.withoutNUL
        guard let entry = try dataFolder.entry(named: account) else {
            throw dataFolder.unknown(account: account, known: try dataFolder.entries().map(\.account.name))
        }
        let start = ContinuousClock.now
        var moved: Catalog.Entry?
        while try !dataFolder.moving(entry.directory, { move, entry in moved = try body(move, entry) }) {
            guard ContinuousClock.now - start < DataFolder.lockTimeout else { throw dataFolder.inUse(entry) }
            try FileLock.pause()
        }
        return try dataFolder.summary(moved ?? entry)
    }
}
