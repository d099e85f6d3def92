import ChatModel
import Foundation
import GRDB

/// Accounts that are copied from one data folder to another.
///
/// A copy is made whole, and verified, in a folder that nobody looks at; then it gets its name and, where it takes the place
/// of an earlier copy, the next generation's, as a move does: a kill leaves the one or the other.
extension DataFolder {
    /// Copies the account into the folder of a backup, where it takes the place of an earlier copy of the same.
    func backUp(
        account: String, to backup: DataFolder, progress: @escaping (BackupProgress) throws -> Void
    ) async throws -> BackupReport {
        guard let found = try entry(named: account) else {
            throw unknown(account: account, known: try entries().map(\.account.name))
        }
        let (entry, lock) = try await take(found, restores: false)
        defer { withExtendedLifetime(lock) {} }
        return try await backup.receiving { unfinished in
            let earlier = try backup.entry(named: account)
            if let earlier, let cold = entry.cold, backup.has(earlier, cold) {
                var report = BackupReport(cold, in: backup.folder(of: earlier).path, isUnchanged: true)
                report.files = try copyFiles(of: entry, to: backup.folder(of: earlier), progress)
                return report
            }
            // As it is before: the copy has no less.
            let own = try earlier.map { _ in try identity(of: entry) }
            if let earlier, let own { try backup.requireSame(earlier, as: own) }
            let copy = AccountCopy(source: folder(of: entry), target: unfinished, progress: progress)
            var report = try copy.make(entry)
            // After the messages, so that no file is missing that they have; and to where an earlier copy has most of them.
            report.files = try copyFiles(of: entry, to: earlier.map(backup.folder) ?? unfinished, progress)
            let placed = try await backup.place(unfinished, entry) { earlier in
                try backup.requireSame(earlier, as: own ?? identity(of: entry))
            }
            report.folder = backup.folder(of: placed).path
            return report
        }
    }

    /// Copies the account of a backup into this folder, under a new epoch of its change feed: who follows it starts over.
    func restore(
        account: String, from backup: DataFolder, progress: @escaping (BackupProgress) throws -> Void
    ) async throws -> BackupReport {
        guard let found = try backup.entry(named: account) else {
            throw backup.unknown(account: account, known: try backup.entries().map(\.account.name))
        }
        let (entry, lock) = try await backup.take(found, restores: false)
        defer { withExtendedLifetime(lock) {} }
        try makeFolder(path)
        return try await receiving { unfinished in
            if try self.entry(named: account) != nil { throw isThere(account) }
            let copy = AccountCopy(source: backup.folder(of: entry), target: unfinished, progress: progress)
            var report = try copy.makePlain(entry, epoch: UUID().uuidString.lowercased())
            report.files = try backup.copyFiles(of: entry, to: unfinished, progress)
            var restored = entry
            (restored.directory, restored.cold) = (AccountFolder.newName(for: account), nil)
            let placed = try await place(unfinished, restored) { _ in throw isThere(account) }
            report.folder = folder(of: placed).path
            return report
        }
    }

    private func copyFiles(
        of entry: Catalog.Entry, to target: AccountFolder, _ progress: @escaping (BackupProgress) throws -> Void
    ) throws -> BackupReport.Files {
        try AttachmentCopy(
            source: AttachmentFolder(of: folder(of: entry)), target: AttachmentFolder(of: target), progress: progress
        ).run()
    }

    private func isThere(_ account: String) -> ArchiveError {
        ArchiveError(
            code: .backup,
            detail: "account '\(account)' is in \(path) already; erase it first, or restore into another folder")
    }

    /// Whether a copy is this compressed file.
    private func has(_ copy: Catalog.Entry, _ cold: Catalog.ColdCopy) -> Bool {
        copy.cold?.digest == cold.digest && AccountFolder.size(folder(of: copy).cold) == copy.cold?.size
    }

    // MARK: - Whose copy it is

    /// What tells of two files whether they are of one account, and which of them is later.
    private struct Identity {
        var epoch: String
        var seq: Int64
    }

    /// Nobody may move the account meanwhile.
    private func identity(of entry: Catalog.Entry) throws -> Identity {
        let folder = folder(of: entry)
        return try ArchiveError.wrapping(folder.database) {
            let queue =
                try entry.cold.map { try PrivateCopy.open(ColdFile(path: folder.cold), expecting: $0.digest).queue }
                ?? Connection.reading(path: folder.database)
            return try queue.read { db in
                _ = try Schema.version(db, path: folder.database)
                return Identity(
                    epoch: try String.fetchOne(db, sql: "SELECT epoch FROM account") ?? "",
                    seq: try Catalog.Holdings.lastChange(db))
            }
        }
    }

    /// - Throws: ``ArchiveError`` with `backup` when something would be lost with the earlier copy.
    private func requireSame(_ earlier: Catalog.Entry, as account: Identity) throws {
        let found = try identity(of: earlier)
        let (name, place) = (earlier.account.name, folder(of: earlier).path)
        let way = "back it up into another folder, or erase that copy first"
        guard found.epoch == account.epoch else {
            throw ArchiveError(
                code: .backup,
                detail:
                    "\(place) is a backup of another account '\(name)', or from before this one was restored; \(way)")
        }
        guard found.seq <= account.seq else {
            throw ArchiveError(code: .backup, detail: "\(place) has more than account '\(name)' has by now; \(way)")
        }
    }

    // MARK: - Where it goes

    private var unfinishedCopy: String { accountsPath + "/.unfinished-copy" }

    /// Gives the body an empty folder to make an account in; what it leaves there is removed. One at a time: the lock is on the
    /// data folder itself, as the making of accounts locks `accounts`.
    private func receiving<T>(_ body: (AccountFolder) async throws -> T) async throws -> T {
        try makeForCopies()
        let lock = try await FileLock.wait(
            forFolder: path,
            else: ArchiveError(code: .locked, detail: "another process is copying accounts into \(path)"))
        defer { withExtendedLifetime(lock) {} }
        let unfinished = AccountFolder(path: unfinishedCopy, generation: 1)
        try removeFormerLock()
        try remove(unfinished)
        guard mkdir(unfinished.path, 0o700) == 0 else { throw ArchiveError(path: unfinished.path, errno: errno) }
        defer { try? remove(unfinished) }
        return try await body(unfinished)
    }

    /// Not the folder that it is in: where that is missing, a disk is not mounted.
    func makeForCopies() throws(ArchiveError) {
        for folder in [path, accountsPath] {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                throw ArchiveError(
                    code: .backup, detail: "\(folder) can't be made: \(String(cString: strerror(errno)))")
            }
        }
    }

    private func remove(_ unfinished: AccountFolder) throws {
        guard access(unfinished.path, F_OK) == 0 else { return }
        do {
            try FileManager.default.removeItem(atPath: unfinished.path)
        } catch {
            throw ArchiveError(code: .storage, detail: "\(unfinished.path) can't be removed: \(error)")
        }
    }

    /// Removes what a kill left of a copy that was being made.
    func removeUnfinishedCopy() throws {
        guard access(accountsPath, F_OK) == 0, let lock = try FileLock(folder: path) else { return }
        defer { withExtendedLifetime(lock) {} }
        try removeFormerLock()
        try remove(AccountFolder(path: unfinishedCopy, generation: 1))
    }

    /// Removes the lock file of versions before 0.1.
    private func removeFormerLock() throws {
        try FolderEntries.remove(accountsPath + "/.copying")
    }

    /// Gives a copy that is whole its name.
    ///
    /// - Parameters:
    ///   - entry: Of the copy, but for its place where there is an earlier one.
    ///   - replacing: Is asked about the earlier one, which nobody has open then.
    private func place(
        _ unfinished: AccountFolder, _ entry: Catalog.Entry, replacing: (Catalog.Entry) throws -> Void
    ) async throws -> Catalog.Entry {
        // So that reading the copy makes nothing, not even where it may.
        for path in [unfinished.lock, unfinished.writer] { _ = try FileLock(path: path, mode: .exclusive) }
        try FolderEntries.synchronize(unfinished.path)
        let making = try await takeMakingLock()
        defer { withExtendedLifetime(making) {} }
        var entry = entry
        if let earlier = try self.entry(named: entry.account.name) {
            return try await replace(earlier, by: unfinished, entry, replacing)
        }
        entry.generation = unfinished.generation
        try FolderEntries.rename(unfinished.path, to: folder(of: entry).path)
        try FolderEntries.synchronize(accountsPath)
        try FolderEntries.synchronize(path)
        try catalog.put(entry)
        return entry
    }

    private func replace(
        _ earlier: Catalog.Entry, by unfinished: AccountFolder, _ entry: Catalog.Entry,
        _ replacing: (Catalog.Entry) throws -> Void
    ) async throws -> Catalog.Entry {
        let start = ContinuousClock.now
        var placed = entry
        while true {
            let isDone = try moving(earlier.directory) { move, earlier in
                let earlier = try move.recover(earlier)
                try replacing(earlier)
                (placed.directory, placed.generation) = (earlier.directory, earlier.generation + 1)
                let next = folder(of: placed)
                let isCold = placed.cold != nil
                try FolderEntries.rename(
                    isCold ? unfinished.cold : unfinished.database, to: isCold ? next.cold : next.database)
                try FolderEntries.synchronize(next.path)
                try catalog.put(placed)
                _ = try move.recover(placed)
            }
            if isDone { return placed }
            guard ContinuousClock.now - start < Self.lockPatience else { throw inUse(earlier) }
            try await FileLock.pause()
        }
    }

    // MARK: - Two folders

    /// - Throws: ``ArchiveError`` with `backup` when the backup is this folder, or in it.
    func requireApart(_ backup: DataFolder) throws {
        let (own, other) = (Self.real(path), Self.real(backup.path))
        guard other == own || other.utf8.starts(with: (own + "/").utf8) else { return }
        throw ArchiveError(
            code: .backup,
            detail: "\(backup.path) is \(other == own ? "" : "inside ")the data folder itself; name another")
    }

    /// Without symbolic links, of a folder that need not be there yet.
    private static func real(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let absolute = URL(fileURLWithPath: path).path as NSString
        let parent = absolute.deletingLastPathComponent
        guard parent != absolute as String else { return parent }
        return real(parent) + "/" + absolute.lastPathComponent
    }
}

extension AccountCopy {
    /// As hot or cold as the account is.
    fileprivate func make(_ entry: Catalog.Entry) throws -> BackupReport {
        guard let cold = entry.cold else { return try makePlain(entry, epoch: nil) }
        try copyCold(cold)
        return BackupReport(cold, in: target.path)
    }

    /// - Parameter epoch: Of the change feed, from now on; nil leaves it what it is.
    fileprivate func makePlain(_ entry: Catalog.Entry, epoch: String?) throws -> BackupReport {
        var (holdings, logGrowth) = (entry.cold?.holdings, Int64(0))
        if let cold = entry.cold {
            try expand(cold)
        } else {
            (holdings, logGrowth) = try copy()
        }
        try seal(epoch: epoch)
        return BackupReport(try verify(holdings), of: target, logGrowth: logGrowth)
    }
}

extension BackupReport {
    fileprivate init(_ cold: Catalog.ColdCopy, in folder: String, isUnchanged: Bool = false) {
        self.init(
            messages: cold.holdings.messages, rooms: cold.holdings.rooms, bytes: cold.size, state: .cold,
            folder: folder, isUnchanged: isUnchanged)
    }

    fileprivate init(_ holdings: Catalog.Holdings, of file: AccountFolder, logGrowth: Int64) {
        self.init(
            messages: holdings.messages, rooms: holdings.rooms, bytes: AccountFolder.size(file.database) ?? 0,
            state: .hot, folder: file.path, logGrowth: logGrowth)
    }
}
