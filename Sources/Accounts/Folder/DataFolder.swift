import Bytes
import ChatModel
package import Files
package import FoundationEssentials
import Glibc
package import Logging
import Records
import SQLite
import Schema

/// Finds, opens and creates the accounts of a data folder.
///
/// To open an account's file, a process takes the account's `lock` shared, reads the catalog's row, and opens the file
/// that the row names. No process can move that file meanwhile.
package struct DataFolder: Sendable {
    package let path: String
    package let logger: Logger
    package let catalog: Catalog
    /// The limit on this process's connections to the folder's accounts.
    package let limit: ConnectionLimit
    /// The limit on this process's private copies of cold accounts.
    private let copyLimit = ConnectionLimit(maximum: 1)
    package let cold: ColdReading
    /// The copies by which a cold account that is read alone stays cold; nil to make it hot.
    package let kept: KeptCopies?
    /// The secret keys for encrypted accounts.
    package let identities: AgeIdentities
    package let limits = StorageLimits()
    /// Receives the number of bytes done while a cold account is made readable, and nil at the end.
    package let restoring: @Sendable (_ account: String, _ bytes: Int64?) -> Void
    /// Receives the accounts that can't be read, when others can.
    package let skipped: SkippedAccounts
    /// Forgets in an account's file what is to be forgotten; the locks of the account and of its writer are held.
    package let forgetting: Forgetting

    package typealias Forgetting = @Sendable (DataFolder, Catalog.Entry, AccountFolder, [FileLock]) throws -> Void

    package var accountsPath: String { path + "/accounts" }

    package static let lockTimeout = FileLock.timeout

    package init(
        path: String, logger: Logger, openConnections: Int = ConnectionLimit.usual,
        reserve: DescriptorReserve? = nil, cold: ColdReading = .alone, kept: KeptCopies? = nil,
        identities: AgeIdentities = .environment,
        restoring: @escaping @Sendable (_ account: String, _ bytes: Int64?) -> Void, skipped: SkippedAccounts,
        forgetting: @escaping Forgetting
    ) {
        (self.path, self.logger, self.cold, self.kept) = (path, logger, cold, kept)
        self.identities = identities
        (self.restoring, self.skipped, self.forgetting) = (restoring, skipped, forgetting)
        limit = ConnectionLimit(maximum: openConnections, reserve: reserve)
        catalog = Catalog(path: path + "/catalog.sqlite")
    }

    /// Opens an account by name, and makes a cold account hot first. Nil if no account has that name.
    package func openReader(account: String, isUse: Bool, writes: Bool = false) throws -> AccountReader? {
        guard let entry = try entry(named: account.withoutNUL) else { return nil }
        return try openReader(entry, isUse: isUse, writes: writes)
    }

    package func unknown(account name: String, known: [String]) -> ArchiveError {
        ArchiveError(account: name, in: path, known: known)
    }

    package func inUse(_ entry: Catalog.Entry) -> ArchiveError {
        let writer = folder(of: entry).writerName.map { " by \($0)" } ?? " by another process"
        return ArchiveError(code: .locked, detail: "account '\(entry.account.name)' is in use\(writer)")
    }

    /// Returns the catalog's entry of an account; nil if no account has that name.
    ///
    /// - Throws: ``ArchiveError`` if no readable account has that name, and an unreadable folder might hold it.
    package func entry(named name: String) throws -> Catalog.Entry? {
        guard access(accountsPath, F_OK) == 0 else { return nil }
        if let entry = try catalog.entry(named: name), access(folder(of: entry).path, F_OK) == 0 { return entry }
        let slug = AccountFolder.slug(of: name)
        var unreadable: ArchiveError?
        for directory in try accountDirectories() where AccountFolder.slug(ofDirectory: directory) == slug {
            if let entry = try catalog.entry(directory: directory) {
                // Another process may have entered it a moment ago.
                if entry.account.name.isExactly(name) { return entry }
                continue
            }
            do {
                let entry = try FolderAdoption(into: self).adopt(directory)
                if entry.account.name.isExactly(name) { return entry }
            } catch let error as ArchiveError {
                unreadable = error
            }
        }
        if let unreadable { throw unreadable }
        return nil
    }

    /// Opens the file that the catalog names, after recovering from an interrupted move.
    ///
    /// - Parameters:
    ///   - restores: True to make a cold account hot first; false to read it from a private copy.
    ///   - writes: True to make an encrypted account hot, too, because it will be written. Otherwise it is read from a
    ///     private copy, so that nothing plain is left in the folder.
    package func openReader(
        _ entry: Catalog.Entry, isUse: Bool, restores: Bool = true, writes: Bool = false
    ) throws -> AccountReader {
        try limit.reserve?.require()
        let isEncrypted = entry.cold?.encryption != nil
        if isEncrypted {
            try requireIdentities(for: entry)
            if restores, !writes { return try openEncrypted(entry, isUse: isUse) }
        }
        // In a folder that can't be written, a compressed account is read from a copy.
        let restores = restores && (entry.cold == nil || access(folder(of: entry).path, W_OK) == 0)
        let (entry, lock) = try take(entry, restores: restores)
        let folder = folder(of: entry)
        if isUse { catalog.noteUse([entry.directory]) }
        if let cold = entry.cold {
            if cold.encryption != nil {
                // It may have been encrypted a moment ago.
                try requireIdentities(for: entry)
            } else if self.cold == .alone {
                throw ArchiveError.compressed([entry.account.name])
            }
            let file = ColdFile(path: folder.file(cold), identities: identities)
            return AccountReader(
                try OpenAccount(folder: folder, lock: lock, limit: copyLimit, cold: (file, cold.digest)) {
                    [restoring] in
                    restoring(entry.account.name, $0)
                })
        }
        let reader: AccountReader
        do {
            reader = AccountReader(try OpenAccount(folder: folder, lock: lock, limit: limit))
        } catch let error as ArchiveError where error.code == .schemaTooOld && error.hint != Schema.advice {
            try migrate(folder, error)
            reader = AccountReader(try OpenAccount(folder: folder, lock: lock, limit: limit))
        }
        if try isToForget(reader) { try forgetAgain(entry, folder, lock) }
        return reader
    }

    /// Opens an account for a server: a cold one by a copy that is kept for its next requests, and never changed.
    ///
    /// - Throws: ``ArchiveError`` with `cold` if the file has to be changed before it can be read.
    package func openKept(_ entry: Catalog.Entry, _ kept: KeptCopies) throws -> AccountReader {
        let (entry, lock) = try take(entry, restores: false)
        guard let cold = entry.cold else { return try openReader(entry, isUse: false) }
        if cold.encryption != nil { try requireIdentities(for: entry) }
        let folder = folder(of: entry)
        let file = ColdFile(path: folder.file(cold), identities: identities)
        let account = try kept.account(entry, cold.digest) {
            try OpenAccount(
                folder: folder, lock: lock, keepsLock: false, limit: ConnectionLimit(maximum: 1),
                cold: (file, cold.digest)
            ) { [restoring] in restoring(entry.account.name, $0) }
        }
        let reader = AccountReader(account)
        guard try !isToForget(reader) else { throw ArchiveError.needsExpanding(entry.account.name) }
        return reader
    }

    /// Opens a private copy of an encrypted account. A file with forgotten messages has to be changed first.
    private func openEncrypted(_ entry: Catalog.Entry, isUse: Bool) throws -> AccountReader {
        let reader = try openReader(entry, isUse: isUse, restores: false)
        if try !isToForget(reader) { return reader }
        return try openReader(entry, isUse: isUse, writes: true)
    }

    /// Returns the key of the names of encrypted files in backups. In a folder that can't be written each backup has
    /// another key, and copies all files.
    package func fileKey() throws -> Data {
        do {
            return try catalog.fileKey()
        } catch let error as ArchiveError where error.code == .notPermitted {
            return Catalog.newKey()
        }
    }

    func requireIdentities(for entry: Catalog.Entry) throws(ArchiveError) {
        guard !identities.isEmpty else { throw ArchiveError.encrypted([entry.account.name]) }
    }

    /// Returns true if the catalog knows that the account has forgotten more than its file has, because the file is from
    /// an older backup; or if a crash left traces.
    package func isToForget(_ reader: AccountReader) throws -> Bool {
        guard let known = try catalog.forgottenKey(of: reader.account.name) else { return false }
        return try reader.read { db in
            try db.integer("SELECT CASE WHEN scrub <> 0 THEN -1 ELSE digests END FROM forgotten_key") ?? 0
        } < known.digests
    }

    /// Forgets what is to be forgotten, unless a writer runs, which has done so.
    private func forgetAgain(_ entry: Catalog.Entry, _ folder: AccountFolder, _ lock: FileLock) throws {
        guard access(folder.path, W_OK) == 0, let writerLock = try FileLock(path: folder.writer, mode: .exclusive)
        else {
            return
        }
        writerLock.sign()
        try forgetting(self, entry, folder, [lock, writerLock])
    }

    /// Migrates an older file to the current schema, under the writer's lock. Waits for it, because another reader may
    /// be migrating the file.
    private func migrate(_ folder: AccountFolder, _ error: ArchiveError) throws {
        let writerLock = try FileLock.wait(
            for: folder.writer,
            else: ArchiveError(
                code: .schemaTooOld, detail: "\(error.detail); \(FileLock.signature(path: folder.writer)) writes it"))
        defer { withExtendedLifetime(writerLock) {} }
        try ArchiveError.wrapping(folder.database) {
            let queue = try SQLiteConnection.writing(path: folder.database)
            try queue.sync { db in
                try Schema.account.migrate(db, path: folder.database)
                try MessageCounts.fillSome(db)
            }
            try queue.close()
        }
    }

    /// Returns the account's current entry, and the lock that keeps it current.
    ///
    /// - Parameter restores: Makes a cold account plain first.
    package func take(_ entry: Catalog.Entry, restores: Bool) throws -> (Catalog.Entry, FileLock) {
        let start = ContinuousClock.now
        var triedToRecover = false
        while true {
            let isLate = ContinuousClock.now - start > Self.lockTimeout
            if let lock = try FileLock(path: folder(of: entry).lock, mode: .shared) {
                // Reads the row again under the lock, because no process can move the account now.
                let entry = try catalog.entry(directory: entry.directory) ?? entry
                let folder = folder(of: entry)
                // Leftovers beside a file that other readers use do not prevent reading it.
                let isInOrder = try triedToRecover || isLate || folder.isInOrder(entry)
                if entry.cold == nil || !restores, isInOrder { return (entry, lock) }
            }
            if isLate {
                throw ArchiveError(code: .locked, detail: "\(folder(of: entry).path) is being moved by another process")
            }
            let isMoved = try moving(entry.directory) { move, entry in
                var move = move
                move.progress = { [restoring] in
                    // The time limit does not apply, or a large account could never be expanded.
                    try ReadLimit.current?.checkCancellation()
                    restoring(entry.account.name, $0)
                }
                defer { restoring(entry.account.name, nil) }
                let entry = try move.recover(entry)
                if restores { _ = try move.restore(entry) }
            }
            triedToRecover = isMoved || triedToRecover
            if !isMoved { try FileLock.pause() }
        }
    }

    /// Runs the body on an account's files while no other process has them open.
    ///
    /// - Returns: false, without running the body, when the account is in use.
    package func moving(_ directory: String, _ body: (AccountMove, Catalog.Entry) throws -> Void) throws -> Bool {
        let path = accountsPath + "/" + directory
        guard let lock = try FileLock(path: path + "/lock", mode: .exclusive) else { return false }
        let entry = try catalog.entry(directory: directory) ?? FolderAdoption(into: self).adopt(directory, under: lock)
        try body(
            AccountMove(catalog: catalog, folder: folder(of: entry), lock: lock, identities: identities), entry)
        return true
    }

    package func folder(of entry: Catalog.Entry) -> AccountFolder {
        AccountFolder(path: accountsPath + "/" + entry.directory, generation: entry.generation)
    }

    package func accountDirectories() throws -> [String] {
        // A missing folder has no accounts; an unreadable one is an error.
        if access(accountsPath, F_OK) != 0, errno == ENOENT { return [] }
        return try FolderEntries.names(in: accountsPath).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Takes the lock under which one process at a time creates an account.
    package func takeMakingLock() throws -> FileLock {
        try FileLock.wait(
            forFolder: accountsPath,
            else: ArchiveError(code: .locked, detail: "another process is creating an account in \(path)"))
    }

    /// The folder of an account that is being created.
    package var unfinishedAccount: String { accountsPath + "/.unfinished" }
}
