import Accounts
import Archive
import Bytes
package import ChatModel
import Files
import FoundationEssentials
import Glibc
package import Moves
import SQLite
import Schema

extension Archive {
    /// Brings every readable row of a damaged account's file into a new account of this data folder. Does not change the
    /// damaged file. The new account has a new epoch of its change feed, and the attachments of the damaged one.
    ///
    /// - Parameters:
    ///   - path: A file `1.sqlite` with its `-wal`, or a compressed file `1.sqlite.zst`.
    ///   - identity: The account's name and network, for a file that has lost them; nil to require that it has them.
    ///   - progress: Receives the progress; its error ends the rescue and leaves everything as it was.
    /// - Throws: ``ArchiveError`` with `corrupt` if nothing can be read or the name is lost, `backup` if this data folder
    ///   has an account of that name, and `locked` while a process writes the file.
    package func rescue(
        _ path: String, as identity: AccountIdentity? = nil,
        progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
    ) throws -> RescueReport {
        try AccountRescue(path: path, identity: identity, target: dataFolder, progress: progress).run()
    }
}

/// A rescue of a damaged file into a data folder.
private struct AccountRescue {
    let path: String
    let identity: AccountIdentity?
    let target: DataFolder
    let progress: @Sendable (BackupProgress) throws -> Void

    private var damaged: AccountFolder {
        AccountFolder(path: URL(fileURLWithPath: path).path.parentFolder, generation: 1)
    }

    func run() throws -> RescueReport {
        guard access(path, R_OK) == 0 else { throw ArchiveError(path: path, errno: errno) }
        let locks = try takeLocks()
        defer { withExtendedLifetime(locks) {} }
        try FolderEntries.make(target.path)
        let placing = AccountPlacing(target: target)
        var report: RescueReport?
        _ = try placing.making { unfinished in
            let found = try fill(unfinished)
            let account = try name(found, unfinished)
            try placing.requireNew(account.name)
            let copy = AccountCopy(source: unfinished, target: unfinished, progress: progress)
            try copy.seal(epoch: UUID().uuidString.lowercased())
            let holdings = try holdings(unfinished)
            _ = try copy.verify(holdings)
            let files = try AttachmentCopy(
                source: AttachmentFolder(of: damaged), target: AttachmentFolder(of: unfinished),
                contents: AttachmentCopy.contents(of: SQLiteConnection.immutable(path: unfinished.database)),
                progress: progress
            ).run()
            let entry = Catalog.Entry(
                account: account, directory: AccountFolder.newName(for: account.name), generation: 1, cold: nil,
                usedAt: .now())
            let folder = target.folder(
                of: try placing.place(unfinished, entry) { _ in try placing.requireNew(account.name) })
            let corrupt =
                files.corrupt.isEmpty ? [] : [RescueReport.Loss(what: .files, count: Int64(files.corrupt.count))]
            report = RescueReport(
                account: account, folder: folder.path, messages: holdings.messages, rooms: holdings.rooms,
                bytes: FolderEntries.size(of: folder.database) ?? 0, files: files.count, losses: found.losses + corrupt)
            return BackupReport(
                messages: holdings.messages, rooms: holdings.rooms, bytes: 0, state: .hot, folder: folder.path)
        }
        guard let report else { throw ArchiveError(code: .storage, detail: "\(target.path): nothing was written") }
        return report
    }

    /// Takes the locks of an account's folder, so that nothing changes the file meanwhile. A copy of the file elsewhere
    /// has none.
    private func takeLocks() throws -> [FileLock] {
        let paths: [String] = [damaged.lock, damaged.writer].filter { path in access(path, F_OK) == 0 }
        return try paths.map { path in
            guard let lock = try FileLock(path: path, mode: .shared) else {
                throw ArchiveError(
                    code: .locked, detail: "\(self.path) is being written by \(damaged.writerName ?? "another process")"
                )
            }
            return lock
        }
    }

    /// Fills the folder from the file; from as much of a compressed one as can be expanded.
    private func fill(_ folder: AccountFolder) throws -> Rescue.Result {
        guard path.hasSuffix(".zst") else { return try Rescue(of: path, progress: progress).fill(folder) }
        let plain = folder.path + "/damaged" + AccountFolder.unfinished
        try expand(to: plain)
        let result = try Rescue(of: plain, progress: progress).fill(folder)
        try FolderEntries.remove(plain)
        return result
    }

    private func expand(to plain: String) throws {
        let target = try OpenFile(creating: plain)
        do {
            _ = try ColdFile(path: path).expand(limit: .max) { try target.write($0) }
        } catch let error as ArchiveError where error.code == .corrupt {
            // The pages behind the damaged place are lost.
            guard target.size > 0 else { throw error }
        }
    }

    private func name(_ found: Rescue.Result, _ folder: AccountFolder) throws -> AccountIdentity {
        if let account = found.account { return account }
        guard let identity else {
            throw ArchiveError(
                code: .corrupt,
                detail: "\(path) has lost the name of its account; give one with --account and --network")
        }
        try ArchiveError.wrapping(folder.database) {
            let queue = try SQLiteConnection.sealing(path: folder.database)
            try queue.sync { db in
                try db.execute(
                    sql: "INSERT INTO account (id, name, network, epoch, created_at_us) VALUES (1, ?, ?, '', ?)",
                    arguments: [identity.name.withoutNUL, identity.network, Timestamp.now().microseconds])
            }
            try queue.close()
        }
        return identity
    }

    private func holdings(_ folder: AccountFolder) throws -> Catalog.Holdings {
        try ArchiveError.wrapping(folder.database) {
            try SQLiteConnection.immutable(path: folder.database).read { db in
                try Catalog.Holdings(ReadTransaction(db), path: folder.database)
            }
        }
    }
}
