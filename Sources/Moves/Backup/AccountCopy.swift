package import Accounts
import ChatModel
import Files
import FoundationEssentials
import Glibc
import SQLite
import Schema

/// Copies an account's file into a folder that no process reads yet, and verifies the copy.
package struct AccountCopy {
    /// The folder to copy. The caller holds its `lock`, so that nothing moves its file; a writer may continue.
    let source: AccountFolder
    /// An empty folder.
    let target: AccountFolder
    /// True for a source from elsewhere, whose schema may do what Scrollback does not.
    var isForeign = false
    /// Receives the progress after each step; its error ends the copy there.
    var progress: (BackupProgress) throws -> Void = { _ in }

    package init(
        source: AccountFolder, target: AccountFolder, isForeign: Bool = false,
        progress: @escaping (BackupProgress) throws -> Void = { _ in }
    ) {
        (self.source, self.target, self.isForeign, self.progress) = (source, target, isForeign, progress)
    }

    /// The number of 4 KiB pages in a step: 1 MiB, which takes a rotating disk 10 ms.
    private static let pagesPerStep: CInt = 256
    /// The space required beyond the file's own size, in bytes: for the catalog and SQLite's sidecars.
    private static let spare: Int64 = 1 << 20

    /// Copies one state of a plain file, while its writer continues.
    ///
    /// - Returns: The contents of the copy, and the bytes added to the source's `-wal` meanwhile.
    func copy() throws -> (holdings: Catalog.Holdings?, logGrowth: Int64) {
        try OpenFile(creating: target.database).synchronize()
        let new = try ArchiveError.wrapping(target.database) { try SQLiteConnection.sealing(path: target.database) }
        let copied = try copy(to: new, in: target.path)
        return (copied.holdings, copied.logGrowth)
    }

    /// Copies one state of a plain file to a file without a name beside it, verifies it, and writes it to the target
    /// compressed and encrypted. Nothing plain leaves the data folder, and a crash leaves nothing of it.
    func encrypt(to recipients: AgeRecipients) throws -> (copy: Catalog.ColdCopy, logGrowth: Int64) {
        let place = source.path.parentFolder
        let snapshot = try OpenFile(unnamedIn: place)
        let copied = try copy(to: try SQLiteConnection.filling(snapshot), in: place)
        try snapshot.turnIntoSingleFile()
        _ = try verify(try SQLiteConnection.immutable(snapshot), copied.holdings)
        let file = ColdFile(path: target.encrypted)
        let (digest, written) = try file.compress(snapshot, level: ColdFile.defaultLevel, to: recipients) { bytes in
            try progress(BackupProgress(bytes: bytes, logGrowth: copied.logGrowth))
        }
        try wrappingErrors { try file.requireWritten(written) }
        let encryption = Catalog.Encryption(
            sha256: written.sha256, recipients: recipients.digest, epoch: copied.epoch, isRequired: true)
        let made = Catalog.ColdCopy(
            digest: digest, size: written.size, holdings: copied.holdings, encryption: encryption)
        return (made, copied.logGrowth)
    }

    /// - Parameter place: The folder of the new file.
    private func copy(
        to new: DatabaseQueue, in place: String
    ) throws -> (holdings: Catalog.Holdings, epoch: String, logGrowth: Int64) {
        let old = try ArchiveError.wrapping(source.database) { try SQLiteConnection.reading(path: source.database) }
        let copied = try ArchiveError.wrapping(source.database) {
            // One transaction for all steps, because otherwise each commit of the writer would restart the copy.
            try old.read { db in
                try requireOwnSchema(db, version: Schema.account.version(db, path: source.database))
                // The first read fixes the state that the transaction sees.
                let holdings = try Catalog.Holdings(ReadTransaction(db), path: source.database)
                let epoch = try String.fetchOne(db, sql: "SELECT epoch FROM account") ?? ""
                let logGrowth = try new.sync { try copyPages(db, to: $0, in: place) }
                return (holdings, epoch, logGrowth)
            }
        }
        try old.close()
        try new.close()
        return copied
    }

    /// - Throws: ``ArchiveError`` with `backup` if a source from elsewhere has objects that are not Scrollback's.
    private func requireOwnSchema(_ db: Database, version: Int) throws {
        guard isForeign, let object = try SchemaComparison(db, version: version).foreign.first else { return }
        throw ArchiveError(
            code: .backup,
            detail: "\(object) in \(source.path) is not Scrollback's and might change messages; to bring only the "
                + "messages into a new file: scrollback archive rescue FILE")
    }

    private func copyPages(_ db: Database, to new: Database, in place: String) throws -> Int64 {
        let pageSize = try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0
        let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        try FreeSpace.require(pages * pageSize + Self.spare, in: place)
        let log = source.database + "-wal"
        let logSize = FolderEntries.size(of: log) ?? 0
        var logGrowth: Int64 = 0
        var begun = ContinuousClock.now
        try ArchiveError.wrapping("copying \(source.database) to \(place)") {
            try db.backup(to: new, pagesPerStep: Self.pagesPerStep) { left, all in
                let taken = ContinuousClock.now - begun
                logGrowth = max(logGrowth, (FolderEntries.size(of: log) ?? 0) - logSize)
                try requireSpace(rest: Int64(left) * pageSize, in: place, logGrowth: logGrowth)
                try progress(BackupProgress(bytes: Int64(all - left) * pageSize, logGrowth: logGrowth))
                // Leaves the disk to the writer for as long as the step took.
                if left > 0 { usleep(useconds_t(clamping: Int64(taken / .microseconds(1)))) }
                begun = ContinuousClock.now
            }
        }
        return logGrowth
    }

    private func requireSpace(rest: Int64, in place: String, logGrowth: Int64) throws {
        try FreeSpace.require(rest, in: place)
        // If the log grew by as much again, it would fill the disk, and the writer could not store anything.
        guard try FreeSpace.of(source.path) >= logGrowth else {
            throw ArchiveError(
                code: .storage,
                detail:
                    "stopped copying \(source.path): its -wal grew by \(logGrowth) bytes meanwhile, and the disk is "
                    + "nearly full")
        }
    }

    /// Copies the compressed file unchanged, and verifies it: an encrypted one by its bytes.
    func copyCold(_ cold: Catalog.ColdCopy) throws {
        try FreeSpace.require(cold.size + Self.spare, in: target.path)
        let new = try OpenFile(creating: target.file(cold))
        var done: Int64 = 0
        try OpenFile(reading: source.file(cold)).readAll { bytes in
            try new.write(bytes)
            done += Int64(bytes.count)
            try progress(BackupProgress(bytes: done, logGrowth: 0))
        }
        try new.synchronize()
        try wrappingErrors {
            let copy = ColdFile(path: new.path)
            guard let encryption = cold.encryption else { return try copy.verify(cold.digest) }
            try copy.requireWritten(FileDigest(sha256: encryption.sha256, size: cold.size))
        }
    }

    /// Encrypts the compressed file.
    func encrypt(_ cold: Catalog.ColdCopy, to recipients: AgeRecipients) throws -> Catalog.ColdCopy {
        try FreeSpace.require(cold.size + Self.spare, in: target.path)
        var copy = try wrappingErrors {
            try ColdFile(path: source.cold).encrypt(cold, to: recipients, at: target.encrypted) { bytes in
                try progress(BackupProgress(bytes: bytes, logGrowth: 0))
            }
        }
        copy.encryption?.isRequired = true
        return copy
    }

    /// Expands the compressed file to a plain one.
    func expand(_ cold: Catalog.ColdCopy, with identities: AgeIdentities) throws {
        try FreeSpace.require(cold.digest.size + Self.spare, in: target.path)
        try ColdFile(path: source.file(cold), identities: identities).restore(
            to: target.database, expecting: cold.digest
        ) { bytes in
            try progress(BackupProgress(bytes: bytes, logGrowth: 0))
        }
    }

    /// Turns the plain file into a single file without a WAL, so that reading it creates nothing beside it. The file is
    /// on disk when this returns.
    ///
    /// - Parameter epoch: The new epoch of the change feed; nil keeps the epoch.
    package func seal(epoch: String? = nil) throws {
        try wrappingErrors {
            let queue = try SQLiteConnection.sealing(path: target.database)
            try queue.sync { db in
                try requireOwnSchema(db, version: Schema.account.version(db, path: target.database))
                if let epoch { try db.execute(sql: "UPDATE account SET epoch = ?", arguments: [epoch]) }
                // SQLite writes the mode to the file after the row: reading one row only would ignore an error.
                guard try String.fetchAll(db, sql: "PRAGMA journal_mode = DELETE").first == "delete" else {
                    throw ArchiveError(code: .locked, detail: "\(target.database) is open in another program")
                }
            }
            try queue.close()
        }
        try OpenFile(reading: target.database).synchronize()
    }

    /// Reads the whole plain file from the disk.
    ///
    /// - Throws: ``ArchiveError`` with `backup` if the file is damaged or its contents differ.
    package func verify(_ expected: Catalog.Holdings?) throws -> Catalog.Holdings {
        try verify(try wrappingErrors { try SQLiteConnection.immutable(path: target.database) }, expected)
    }

    private func verify(_ copy: DatabaseQueue, _ expected: Catalog.Holdings?) throws -> Catalog.Holdings {
        try wrappingErrors {
            try copy.read { db in
                for check in NamedCheck.fileChecks {
                    guard let wrong = try check.run(db, progress: { _ in }).first else { continue }
                    throw damaged(wrong)
                }
                let found = try Catalog.Holdings(ReadTransaction(db), path: target.database)
                guard found == expected else { throw damaged("its contents differ from the original") }
                return found
            }
        }
    }

    /// Reports any damage found by the body as damage of the copy.
    private func wrappingErrors<T>(_ body: () throws -> T) throws -> T {
        do {
            return try ArchiveError.wrapping(target.database, body)
        } catch let error as ArchiveError where error.code == .corrupt {
            throw damaged(error.detail)
        }
    }

    private func damaged(_ what: String) -> ArchiveError {
        ArchiveError(
            code: .backup,
            detail: "the copy of \(source.path) is damaged (\(what)); to check the original: scrollback archive check")
    }
}
