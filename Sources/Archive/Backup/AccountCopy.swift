import ChatModel
import Foundation
import GRDB

/// Copies an account's file into a folder that nobody else looks at yet, and looks whether the copy is one.
struct AccountCopy {
    /// Its `lock` is held, so that nobody moves its file. A writer may go on.
    let source: AccountFolder
    /// Empty.
    let target: AccountFolder
    /// Told after each step; an error ends it there.
    var progress: (BackupProgress) throws -> Void = { _ in }

    /// Of 4 KiB: a step is 1 MiB, which a disk that turns takes 10 ms for.
    private static let pagesPerStep: CInt = 256
    /// Beyond the file's own size, in bytes: for the catalog and what SQLite writes beside it.
    private static let spare: Int64 = 1 << 20

    /// The plain file of one state of a plain one, while its writer goes on.
    ///
    /// - Returns: what it holds, and the bytes that were added to the source's `-wal` meanwhile.
    func copy() throws -> (holdings: Catalog.Holdings?, logGrowth: Int64) {
        try OpenFile(creating: target.database).synchronize()
        let old = try ArchiveError.wrapping(source.database) { try Connection.reading(path: source.database) }
        let new = try ArchiveError.wrapping(target.database) { try Connection.sealing(path: target.database) }
        let copied = try ArchiveError.wrapping(source.database) {
            // One transaction for all: each commit of the writer would start the copy over.
            try old.read { db in
                _ = try Schema.version(db, path: source.database)
                // What is read first is what the transaction goes on seeing.
                let holdings = try Catalog.Holdings(db, path: source.database)
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
                // The disk is the writer's for as long as it was ours.
                if !step.isCompleted { Thread.sleep(forTimeInterval: taken / .seconds(1)) }
                begun = ContinuousClock.now
            }
        }
        return logGrowth
    }

    private func requireSpace(rest: Int64, logGrowth: Int64) throws {
        try FreeSpace.require(rest, in: target.path)
        // As much again would fill the disk, and then the writer could store nothing.
        guard try FreeSpace.of(source.path) >= logGrowth else {
            throw ArchiveError(
                code: .storage,
                detail:
                    "\(source.path): its -wal grew by \(logGrowth) bytes while it was copied, and the disk is nearly "
                    + "full; the copy was given up")
        }
    }

    /// The compressed file as it is.
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
        try looking { try ColdFile(path: target.cold).verify(cold.digest) }
    }

    /// The plain file of a compressed one.
    func expand(_ cold: Catalog.ColdCopy) throws {
        try FreeSpace.require(cold.digest.size + Self.spare, in: target.path)
        try ColdFile(path: source.cold).restore(to: target.database, expecting: cold.digest) { bytes in
            try progress(BackupProgress(bytes: bytes, logGrowth: 0))
        }
    }

    /// Makes the plain file one that reading puts nothing beside, on disk when this returns.
    ///
    /// - Parameter epoch: Of the change feed, from now on; nil leaves it what it is.
    func seal(epoch: String? = nil) throws {
        try looking {
            let queue = try Connection.sealing(path: target.database)
            try queue.writeWithoutTransaction { db in
                if let epoch { try db.execute(sql: "UPDATE account SET epoch = ?", arguments: [epoch]) }
                guard try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") == "delete" else {
                    throw ArchiveError(code: .locked, detail: "\(target.database) is open in another program")
                }
            }
            try queue.close()
        }
        try OpenFile(reading: target.database).synchronize()
    }

    /// Reads the plain file from the disk, all of it.
    ///
    /// - Throws: ``ArchiveError`` with `backup` when it is not whole, or holds something else.
    func verify(_ expected: Catalog.Holdings?) throws -> Catalog.Holdings {
        try looking {
            try Connection.immutable(path: target.database).read { db in
                for check in NamedCheck.ofFile {
                    guard let wrong = try check.run(db, progress: { _ in }).first else { continue }
                    throw damaged(wrong)
                }
                let found = try Catalog.Holdings(db, path: target.database)
                guard found == expected else { throw damaged("it has \(found.messages) messages") }
                return found
            }
        }
    }

    /// Whatever damage is met is the copy's.
    private func looking<T>(_ body: () throws -> T) throws -> T {
        do {
            return try ArchiveError.wrapping(target.database, body)
        } catch let error as ArchiveError where error.code == .corrupt {
            throw damaged(error.detail)
        }
    }

    private func damaged(_ what: String) -> ArchiveError {
        ArchiveError(
            code: .backup,
            detail: "the copy of \(source.path) is damaged (\(what)); \"scrollback check\" tells whether that is")
    }
}
