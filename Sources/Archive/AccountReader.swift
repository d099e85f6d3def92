import ChatModel
import GRDB

/// A read-only connection to one account's file, and the shared lock that keeps the file where it is.
final class AccountReader: Sendable {
    let account: AccountIdentity
    let folder: AccountFolder
    private let queue: DatabaseQueue
    let useLock: FileLock

    /// - Parameter lock: The folder's `lock`, shared; the file is plain.
    /// - Throws: ``ArchiveError`` when the file can't be opened, is not ours or newer than this program.
    init(folder: AccountFolder, lock: FileLock) async throws {
        self.folder = folder
        useLock = lock
        let path = folder.database
        let queue = try ArchiveError.wrapping(path) { try Connection.reading(path: path) }
        self.queue = queue
        account = try await ArchiveError.wrapping(path) {
            try await queue.read { db in
                let version = try Schema.version(db, path: path)
                guard version == Schema.current else {
                    throw ArchiveError(
                        code: .schemaTooOld,
                        detail: "\(path) has schema \(version), this scrollback needs \(Schema.current)")
                }
                return try AccountIdentity(db, path: path)
            }
        }
    }

    /// - Throws: ``ArchiveError`` with `locked` while the account is being moved.
    convenience init(folder: AccountFolder) async throws {
        guard let lock = try FileLock(path: folder.lock, mode: .shared) else {
            throw ArchiveError(code: .locked, detail: "\(folder.path) is being moved by another process")
        }
        try await self.init(folder: folder, lock: lock)
    }

    /// One short read transaction: what it sees is one state of the file. Keep it short, or checkpoints wait.
    ///
    /// On the caller's own thread, which for a command is the main one: handing a page to another thread and back takes
    /// longer than the page, 90 µs on an idle machine *(measured)*. What goes on for long, or runs beside others, reads with
    /// ``readAside(_:)``.
    func read<T>(_ body: (Database) throws -> T) throws -> T {
        try ArchiveError.wrapping(folder.database) {
            try queue.writeWithoutTransaction { db in try Self.transaction(db, body) }
        }
    }

    /// The same on the connection's own thread.
    func readAside<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await ArchiveError.wrapping(folder.database) {
            try await queue.run { db in try Self.transaction(db, body) }
        }
    }

    private static func transaction<T>(_ db: Database, _ body: (Database) throws -> T) throws -> T {
        // Cached: compiling BEGIN and COMMIT anew, as GRDB does, costs a tenth of a page.
        try db.cachedStatement(sql: "BEGIN DEFERRED").execute()
        defer { try? db.cachedStatement(sql: "COMMIT").execute() }
        return try body(db)
    }
}

extension AccountIdentity {
    /// As a file tells it, of any schema.
    init(_ db: Database, path: String) throws {
        _ = try Schema.version(db, path: path)
        guard let row = try Row.fetchOne(db, sql: "SELECT name, network FROM account") else {
            throw ArchiveError(code: .corrupt, detail: "\(path) says of no account that it is its own")
        }
        self.init(name: row[0], network: row[1])
    }
}

extension AccountReader {
    /// What the file tells of the account, and what to ask with the next time.
    func status(tally: GapTally? = nil) async throws -> (status: AccountStatus, tally: GapTally?) {
        let (account, folder, isWritten) = (account, folder, folder.isWritten)
        return try await readAside { db in
            var tally = tally
            let status = try AccountStatus.read(account, folder: folder, isWritten: isWritten, tally: &tally, db)
            return (status, tally)
        }
    }
}
