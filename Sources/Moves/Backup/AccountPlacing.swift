package import Accounts
import ChatModel
import Files
import Glibc

/// Brings complete copies of accounts into a data folder.
///
/// A copy is completed and verified in a folder that no process reads. Then it gets its name and, if it replaces an
/// earlier copy, the next generation, as in a move: after a crash there is either the earlier copy or the new one.
package struct AccountPlacing {
    let target: DataFolder

    package init(target: DataFolder) {
        self.target = target
    }

    /// Runs `body` with an empty folder for a copy. Removes the files that the body leaves there. Allows one copy into a
    /// data folder at a time, by a lock on the data folder, because `accounts` is locked while an account is created.
    package func making(_ body: (AccountFolder) throws -> BackupReport) throws -> BackupReport {
        try Self.makeFolders(in: target)
        let receiving = try FileLock.wait(
            forFolder: target.path,
            else: ArchiveError(code: .locked, detail: "another process is copying accounts into \(target.path)"))
        defer { withExtendedLifetime(receiving) {} }
        let unfinished = AccountFolder(path: Self.unfinishedCopy(in: target), generation: 1)
        try FolderEntries.removeAll(unfinished.path)
        guard mkdir(unfinished.path, 0o700) == 0 else { throw ArchiveError(path: unfinished.path, errno: errno) }
        defer { try? FolderEntries.removeAll(unfinished.path) }
        return try body(unfinished)
    }

    /// Requires that the data folder has no account of that name.
    package func requireNew(_ account: String) throws {
        guard try target.entry(named: account) != nil else { return }
        throw ArchiveError(
            code: .backup,
            detail: "\(target.path) already has account '\(account)'; erase it first, or restore into another folder")
    }

    /// Renames a complete copy to its final name.
    ///
    /// - Parameters:
    ///   - entry: The entry of the copy. An earlier copy's folder and generation take precedence.
    ///   - replacing: Checks the earlier copy, which no process has open at that time; its error keeps the earlier
    ///     copy.
    package func place(
        _ unfinished: AccountFolder, _ entry: Catalog.Entry, replacing: (Catalog.Entry) throws -> Void
    ) throws -> Catalog.Entry {
        // Creates the lock files, so that reading the copy creates nothing.
        for path in [unfinished.lock, unfinished.writer] { _ = try FileLock(path: path, mode: .exclusive) }
        try FolderEntries.synchronize(unfinished.path)
        let making = try target.takeMakingLock()
        defer { withExtendedLifetime(making) {} }
        var entry = entry
        if let earlier = try target.entry(named: entry.account.name) {
            return try replace(earlier, by: unfinished, entry, replacing)
        }
        entry.generation = unfinished.generation
        // After a crash nobody could find out the name of an encrypted account. A row without a folder does no harm.
        if entry.cold?.encryption != nil { try target.catalog.put(entry) }
        try FolderEntries.rename(unfinished.path, to: target.folder(of: entry).path)
        try FolderEntries.synchronize(target.accountsPath)
        try FolderEntries.synchronize(target.path)
        try target.catalog.put(entry)
        return entry
    }

    private func replace(
        _ earlier: Catalog.Entry, by unfinished: AccountFolder, _ entry: Catalog.Entry,
        _ replacing: (Catalog.Entry) throws -> Void
    ) throws -> Catalog.Entry {
        let start = ContinuousClock.now
        var placed = entry
        while true {
            let isDone = try target.moving(earlier.directory) { move, earlier in
                let earlier = try move.recover(earlier)
                try replacing(earlier)
                (placed.directory, placed.generation) = (earlier.directory, earlier.generation + 1)
                let next = target.folder(of: placed)
                try FolderEntries.rename(unfinished.file(placed), to: next.file(placed))
                try FolderEntries.synchronize(next.path)
                try target.catalog.put(placed)
                _ = try move.recover(placed)
            }
            if isDone { return placed }
            guard ContinuousClock.now - start < DataFolder.lockTimeout else { throw target.inUse(earlier) }
            try FileLock.pause()
        }
    }

    private static func unfinishedCopy(in folder: DataFolder) -> String { folder.accountsPath + "/.unfinished-copy" }

    /// Creates the folders for copies, except their parent: if that is missing, a disk may not be mounted.
    static func makeFolders(in folder: DataFolder) throws(ArchiveError) {
        for path in [folder.path, folder.accountsPath] {
            let isMade = mkdir(path, 0o700) == 0
            guard isMade || errno == EEXIST else {
                throw ArchiveError(code: .backup, detail: "can't create \(path): \(String(cString: strerror(errno)))")
            }
            if isMade { try FolderEntries.synchronizeParent(of: path) }
        }
    }

    /// Removes the unfinished copy of a process that was killed.
    static func removeUnfinished(in folder: DataFolder) throws {
        guard access(folder.accountsPath, F_OK) == 0, let lock = try FileLock(folder: folder.path) else { return }
        defer { withExtendedLifetime(lock) {} }
        try FolderEntries.removeAll(unfinishedCopy(in: folder))
    }
}
