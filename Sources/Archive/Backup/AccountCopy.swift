import ChatModel
import Foundation
import GRDB

/// Copies an account's file into a folder that no process reads yet, and verifies the copy.
struct AccountCopy {
    /// The folder to copy. The caller holds its `lock`, so that nothing moves its file; a writer may continue.
    let source: AccountFolder
    /// An empty folder.
    let target: AccountFolder
    /// Receives the progress after each step; its error ends the copy there.
    var progress: (BackupProgress) throws -> Void = { _ in }

    /// The number of 4 KiB pages in a step: 1 MiB, which takes a rotating disk 10 ms.
    private static let pagesPerStep: CInt = 256
    /// The space required beyond the file's own size, in bytes: for the catalog and SQLite's sidecars.
    private static let spare: Int64 = 1 << 20

    /// Copies one state of a plain file, while its writer continues.
    ///
    /// - Returns: The contents of the copy, and the bytes added to the source's `-wal` meanwhile.
    func copy() throws -> (holdings: Catalog.Holdings?, logGrowth: Int64) {
        try OpenFile(creating: target.database).synchronize()
        let old = try ArchiveError.wrapping(source.database) { try SQLiteConnection.reading(path: source.database) }
        let new = try ArchiveError.wrapping(target.database) { try SQLiteConnection.sealing(path: target.database) }
        let copied = try ArchiveError.wrapping(source.database) {
            // One transaction for all steps, because otherwise each commit of the writer would restart the copy.
            try old.read { db in
                _ = try Schema.version(db, path: source.database)
                // The first read fixes the state that the transaction sees.
                let holdings = try Catalog.Holdings(ReadTransaction(db), path: source.database)
                let logGrowth = try new.writeWithoutTransaction { try copyPages(db, to: $0) }
                return (holdings, logGrowth)
            }
        }
        try old.close()
        try new.close()
        return copied
    }

    private func copyPages(_ db: Database, to new: Database) throws -> Int64 {
        let pageSize = try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0
        let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        try FreeSpace.require(pages * pageSize + Self.spare, in: target.path)
        let log = source.database + "-wal"
        let logSize = AccountFolder.size(log) ?? 0
        var logGrowth: Int64 = 0
        var begun = ContinuousClock.now
        try ArchiveError.wrapping("copying \(source.database) to \(target.database)") {
            try db.backup(to: new, pagesPerStep: Self.pagesPerStep) { step in
                let taken = ContinuousClock.now - begun
                logGrowth = max(logGrowth, (AccountFolder.size(log) ?? 0) - logSize)
                try requireSpace(rest: Int64(step.remainingPageCount) * pageSize, logGrowth: logGrowth)
                try progress(BackupProgress(bytes: Int64(step.completedPageCount) * pageSize, logGrowth: logGrowth))
                // Leaves the disk to the writer for as long as the step took.
                if !step.isCompleted { Thread.sleep(forTimeInterval: taken / .seconds(1)) }
                begun = ContinuousClock.now
            }
        }
        return logGrowth
    }

    private func requireSpace(rest: Int64, logGrowth: Int64) throws {
        try FreeSpace.require(rest, in: target.path)
        // If the log grew by as much again, it would fill the disk, and the writer could not store anything.
        guard try FreeSpace.of(source.path) >= logGrowth else {
            throw ArchiveError(
                code: .storage,
                detail:
                    "stopped copying \(source.path): its -wal grew by \(logGrowth) bytes meanwhile, and the disk is "
                    + "nearly full")
        }
    }

    /// Copies the compressed file unchanged, and verifies it.
    func copyCold(_ cold: Catalog.ColdCopy) throws {
        try FreeSpace.require(cold.size + Self.spare, in: target.path)
        let old = try OpenFile(reading: source.cold)
        let new = try OpenFile(creating: target.cold)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: OpenFile.chunk, alignment: 16)
        defer { buffer.deallocate() }
        var done: Int64 = 0
        while true {
            let count = try old.read(into: buffer)
            guard count > 0 else { break }
            try new.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            done += Int64(count)
            try progress(BackupProgress(bytes: done, logGrowth: 0))
        }
        try new.synchronize()
        try wrappingErrors { try ColdFile(path: target.cold).verify(cold.digest) }
    }

    /// Expands the compressed file to a plain one.
    func expand(_ cold: Catalog.ColdCopy) throws {
        try FreeSpace.require(cold.digest.size + Self.spare, in: target.path)
        try ColdFile(path: source.cold).restore(to: target.database, expecting: cold.digest) { bytes in
            try progress(BackupProgress(bytes: bytes, logGrowth: 0))
        }
    }

    /// Turns the plain file into a single file without a WAL, so that reading it creates nothing beside it. The file is
    /// on disk when this returns.
    ///
    /// - Parameter epoch: The new epoch of the change feed; nil keeps the epoch.
    func seal(epoch: String? = nil) throws {
        try wrappingErrors {
            let queue = try SQLiteConnection.sealing(path: target.database)
            try queue.writeWithoutTransaction { db in
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
    func verify(_ expected: Catalog.Holdings?) throws -> Catalog.Holdings {
        try wrappingErrors {
            try SQLiteConnection.immutable(path: target.database).read { db in
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
