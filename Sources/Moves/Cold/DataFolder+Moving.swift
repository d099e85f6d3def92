import Accounts
import ChatModel
import Files
import Glibc

/// Compresses, restores, erases and recovers accounts.
extension DataFolder {
    /// Compresses the account's file, and encrypts it if there are recipients.
    func evict(
        account: String, level: Int, recipients: AgeRecipients?, progress: (Int64) -> Void
    ) throws -> AccountSummary {
        try move(account) { move, entry in
            try withoutActuallyEscaping(progress) { progress in
                var move = move
                (move.level, move.recipients, move.progress) = (level, recipients, progress)
                return try move.evictIfNeeded(try move.recover(entry))
            }
        }
    }

    /// Makes the account's file plain.
    func restore(account: String, progress: (Int64) -> Void) throws -> AccountSummary {
        try move(account) { move, entry in
            try withoutActuallyEscaping(progress) { progress in
                var move = move
                move.progress = progress
                return try move.restore(try move.recover(entry))
            }
        }
    }

    /// Writes the account's file again without its unused pages.
    func compact(account: String) throws -> AccountSummary {
        try move(account) { move, entry in
            let entry = try move.recover(entry)
            guard entry.cold == nil else { throw ArchiveError.compressed([entry.account.name]) }
            return try move.compact(entry)
        }
    }

    func evictOver(
        _ limits: HotLimits, check: () throws -> Void, progress: (_ account: String, _ bytes: Int64) -> Void
    ) throws -> HotReport {
        // Adds the folders that the catalog does not know yet, because their accounts may be hot and count for the
        // limits.
        _ = try entries(check: check)
        let hot = try catalog.hotEntries().map { (entry: $0, bytes: folder(of: $0).databaseBytes) }
        var report = HotReport()
        (report.accounts, report.bytes) = (hot.count, hot.reduce(0) { $0 + $1.bytes })
        let free = limits.bytes == nil ? FreeSpace.ofDisk(path)?.free : nil
        let usual = free.map { HotLimits.usualBytes(hot: report.bytes, free: $0) } ?? .max
        for (entry, bytes) in hot {
            guard limits.isOver(accounts: report.accounts, bytes: report.bytes) || report.bytes > usual else { break }
            let name = entry.account.name
            do {
                let step: ColdFile.Progress = { bytes in
                    try check()
                    progress(name, bytes)
                }
                try withoutActuallyEscaping(step) { step in
                    let isDone = try moving(entry.directory) { move, entry in
                        var move = move
                        (move.level, move.recipients, move.progress) = (limits.level, limits.recipients, step)
                        let evicted = try move.evictIfNeeded(try move.recover(entry))
                        if let cold = evicted.cold {
                            report.evicted.append(AccountSummary(evicted, cold, in: folder(of: evicted)))
                        }
                    }
                    guard isDone else { throw inUse(entry) }
                }
                report.accounts -= 1
                report.bytes -= bytes
            } catch let error as ArchiveError {
                report.failed.append(SkippedAccount(account: name, reason: error.code.rawValue, detail: error.detail))
            }
        }
        report.isOver = limits.isOver(accounts: report.accounts, bytes: report.bytes)
        return report
    }

    /// Removes the account with all its files. First renames its folder to a name that no account can have, so that a
    /// crash leaves either the whole account or a folder that ``removeErased()`` removes.
    ///
    /// - Throws: ``ArchiveError`` with `linked`, before anything is changed, if the folder is or has a symbolic link.
    func erase(account: String) throws -> AccountSummary {
        try removeErased()
        if let entry = try entry(named: account) { try LinkedFiles(in: folder(of: entry).path).requireNone() }
        let summary = try move(account) { _, entry in entry }
        guard let entry = try entry(named: account) else { return summary }
        let path = folder(of: entry).path
        let isDone = try moving(entry.directory) { _, _ in
            try FolderEntries.rename(path, to: accountsPath + "/" + Self.erased + entry.directory)
            try FolderEntries.synchronize(accountsPath)
            try catalog.remove(directory: entry.directory)
            try removeErased()
        }
        guard isDone else { throw inUse(entry) }
        return summary
    }

    private static let erased = ".erased-"

    /// Removes the accounts whose erasure a crash interrupted.
    private func removeErased() throws {
        if access(accountsPath, F_OK) != 0, errno == ENOENT { return }
        for name in try FolderEntries.names(in: accountsPath) where name.hasPrefix(Self.erased) {
            try FolderEntries.removeAll(accountsPath + "/" + name)
            try FolderEntries.synchronize(accountsPath)
        }
    }

    /// Removes an account whose creation a crash interrupted.
    private func removeUnfinishedAccount() throws {
        guard access(accountsPath, F_OK) == 0, let making = try FileLock(folder: accountsPath) else { return }
        defer { withExtendedLifetime(making) {} }
        try FolderEntries.removeAll(unfinishedAccount)
    }

    func recover(check: () throws -> Void, report: (ArchiveError) -> Void) throws {
        try removeErased()
        try removeUnfinishedAccount()
        try AccountPlacing.removeUnfinished(in: self)
        for entry in try entries(check: check) {
            try check()
            do {
                _ = try moving(entry.directory) { move, entry in _ = try move.recover(entry) }
            } catch let error as ArchiveError {
                report(error)
            }
        }
    }

    /// - Throws: ``ArchiveError`` with `locked` if the account is still in use after ``lockTimeout``.
    private func move(
        _ account: String, _ body: (AccountMove, Catalog.Entry) throws -> Catalog.Entry
    ) throws -> AccountSummary {
        guard let entry = try entry(named: account) else {
            throw unknown(account: account, known: try entries().map(\.account.name))
        }
        let start = ContinuousClock.now
        var moved: Catalog.Entry?
        while try !moving(entry.directory, { move, entry in moved = try body(move, entry) }) {
            guard ContinuousClock.now - start < Self.lockTimeout else { throw inUse(entry) }
            try FileLock.pause()
        }
        return try summary(moved ?? entry)
    }
}
