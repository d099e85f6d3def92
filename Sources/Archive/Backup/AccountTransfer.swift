import ChatModel
import Foundation
import GRDB

/// Copies accounts from one data folder to another: into a backup or out of a backup.
struct AccountTransfer {
    let source: DataFolder
    let target: DataFolder
    let progress: (BackupProgress) throws -> Void

    private var placing: AccountPlacing { AccountPlacing(target: target) }

    /// Copies the account into a backup, where it replaces an earlier copy of the same account.
    func backUp(_ account: String) async throws -> BackupReport {
        try await copying(account) { entry, unfinished in
            let earlier = try target.entry(named: account)
            if let earlier, let cold = entry.cold, has(earlier, cold) {
                var report = BackupReport(cold, in: target.folder(of: earlier).path, isUnchanged: true)
                report.files = try copyFiles(of: entry, to: target.folder(of: earlier))
                return report
            }
            // Reads the identity before the copy begins, because the copy can only have more changes.
            let own = try earlier.map { _ in try identity(of: entry, in: source) }
            if let earlier, let own { try requireSame(earlier, as: own) }
            let copy = AccountCopy(source: source.folder(of: entry), target: unfinished, progress: progress)
            var report = try copy.make(entry)
            // Copies the files after the messages, so that no file of a copied message is missing; and into the earlier
            // copy, which has most of them.
            report.files = try copyFiles(of: entry, to: earlier.map(target.folder) ?? unfinished)
            let placed = try await placing.place(unfinished, entry) { earlier in
                try requireSame(earlier, as: own ?? identity(of: entry, in: source))
            }
            report.folder = target.folder(of: placed).path
            return report
        }
    }

    /// Copies the account out of a backup under a new epoch of its change feed, so that its followers start over.
    func restore(_ account: String) async throws -> BackupReport {
        try await copying(account, beginning: { try FolderEntries.make(target.path) }) { entry, unfinished in
            try placing.requireNew(account)
            let copy = AccountCopy(source: source.folder(of: entry), target: unfinished, progress: progress)
            var report = try copy.makePlain(entry, epoch: UUID().uuidString.lowercased())
            report.files = try copyFiles(of: entry, to: unfinished)
            var restored = entry
            (restored.directory, restored.cold) = (AccountFolder.newName(for: account), nil)
            let placed = try await placing.place(unfinished, restored) { _ in try placing.requireNew(account) }
            report.folder = target.folder(of: placed).path
            return report
        }
    }

    /// Runs `body` with the account, which no process can move meanwhile, and with an empty folder for the copy.
    private func copying(
        _ account: String, beginning: () throws -> Void = {},
        _ body: (Catalog.Entry, AccountFolder) async throws -> BackupReport
    ) async throws -> BackupReport {
        guard let found = try source.entry(named: account) else {
            throw source.unknown(account: account, known: try source.entries().map(\.account.name))
        }
        let (entry, lock) = try await source.take(found, restores: false)
        defer { withExtendedLifetime(lock) {} }
        try beginning()
        return try await placing.making { try await body(entry, $0) }
    }

    private func copyFiles(of entry: Catalog.Entry, to folder: AccountFolder) throws -> BackupReport.Files {
        try AttachmentCopy(
            source: AttachmentFolder(of: source.folder(of: entry)), target: AttachmentFolder(of: folder),
            progress: progress
        ).run()
    }

    /// Returns true if a copy has this compressed file.
    private func has(_ copy: Catalog.Entry, _ cold: Catalog.ColdCopy) -> Bool {
        copy.cold?.digest == cold.digest && AccountFolder.size(target.folder(of: copy).cold) == copy.cold?.size
    }

    /// Distinguishes the files of different accounts, and a later file of one account from an earlier one.
    private struct Identity {
        var epoch: String
        var seq: Int64
    }

    /// Returns the identity of an account. The caller must hold a lock that keeps its file in place.
    private func identity(of entry: Catalog.Entry, in dataFolder: DataFolder) throws -> Identity {
        let folder = dataFolder.folder(of: entry)
        return try ArchiveError.wrapping(folder.database) {
            let queue =
                try entry.cold.map { try PrivateCopy.open(ColdFile(path: folder.cold), expecting: $0.digest).queue }
                ?? SQLiteConnection.reading(path: folder.database)
            return try queue.read { db in
                _ = try Schema.version(db, path: folder.database)
                return Identity(
                    epoch: try String.fetchOne(db, sql: "SELECT epoch FROM account") ?? "",
                    seq: try Catalog.Holdings.lastChange(ReadTransaction(db)))
            }
        }
    }

    /// Requires that the earlier copy can be replaced by the account without a loss.
    ///
    /// - Throws: ``ArchiveError`` with `backup` if the earlier copy is of another account or has more changes.
    private func requireSame(_ earlier: Catalog.Entry, as account: Identity) throws {
        let found = try identity(of: earlier, in: target)
        let (name, place) = (earlier.account.name, target.folder(of: earlier).path)
        let hint = "back it up into another folder, or erase that copy first"
        guard found.epoch == account.epoch else {
            throw ArchiveError(
                code: .backup,
                detail:
                    "\(place) is a backup of another account '\(name)', or older than its last restore; \(hint)"
            )
        }
        guard found.seq <= account.seq else {
            throw ArchiveError(
                code: .backup, detail: "\(place) has more changes than account '\(name)' has now; \(hint)")
        }
    }

    /// Requires that the backup is outside the data folder.
    ///
    /// - Throws: ``ArchiveError`` with `backup` if the backup is the data folder or inside it.
    static func requireApart(_ folder: DataFolder, _ backup: DataFolder) throws {
        let (own, other) = (real(folder.path), real(backup.path))
        guard other == own || other.utf8.starts(with: (own + "/").utf8) else { return }
        throw ArchiveError(
            code: .backup,
            detail: "\(backup.path) is \(other == own ? "" : "inside ")the data folder itself; choose another folder")
    }

    /// Resolves symbolic links in the path of a folder that may be missing.
    private static func real(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let absolute = URL(fileURLWithPath: path).path
        let parent = absolute.parentFolder
        guard parent != absolute else { return parent }
        return real(parent) + "/" + (absolute as NSString).lastPathComponent
    }
}

extension AccountCopy {
    /// Copies the account in its current state, hot or cold.
    fileprivate func make(_ entry: Catalog.Entry) throws -> BackupReport {
        guard let cold = entry.cold else { return try makePlain(entry, epoch: nil) }
        try copyCold(cold)
        return BackupReport(cold, in: target.path)
    }

    /// - Parameter epoch: The new epoch of the change feed; nil keeps the epoch.
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
