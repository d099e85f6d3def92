import ChatModel
import GRDB
import Synchronization

/// Reads one account's file, through a connection that is closed and opened as others need theirs, and holds the shared lock
/// that keeps the file where it is. A cold one is read from a private copy, which is made as often as the connection is.
final class AccountReader: Sendable {
    let account: AccountIdentity
    let folder: AccountFolder
    let useLock: FileLock
    private let connection: ReaderConnection
    private let limit: ConnectionLimit

    /// - Parameters:
    ///   - lock: The folder's `lock`, shared.
    ///   - cold: What the compressed file has to hold; nil where the file is plain.
    ///   - progress: Told of the bytes of a private copy that are done, and nil at its end.
    /// - Throws: ``ArchiveError`` when the file can't be opened, is not ours or of another schema than this program's.
    init(
        folder: AccountFolder, lock: FileLock, limit: ConnectionLimit, cold: FileDigest? = nil,
        progress: @escaping @Sendable (Int64?) -> Void = { _ in }
    ) throws {
        self.folder = folder
        self.limit = limit
        useLock = lock
        let path = cold == nil ? folder.database : folder.cold
        let connection = ReaderConnection(path: path) {
            guard let cold else { return try Connection.reading(path: path) }
            defer { progress(nil) }
            return try PrivateCopy.open(ColdFile(path: path), expecting: cold, progress: progress).queue
        }
        self.connection = connection
        do {
            account = try Self.read(connection, limit) { db in
                let (version, account) = try AccountIdentity.read(db, path: path)
                guard version == Schema.current else {
                    throw ArchiveError(
                        code: .schemaTooOld,
                        detail: "\(path) has schema \(version), this scrollback needs \(Schema.current)")
                }
                return account
            }
        } catch {
            limit.remove(connection)
            throw error
        }
    }

    deinit {
        limit.remove(connection)
    }

    /// One short read transaction: what it sees is one state of the file. Keep it short, or checkpoints wait.
    ///
    /// On the caller's own thread, which for a command is the main one: handing a page to another thread and back takes
    /// longer than the page, 90 µs on an idle machine *(measured)*. What goes on for long, or runs beside others, reads with
    /// ``readAside(_:)``.
    func read<T>(_ body: (Database) throws -> T) throws -> T {
        try Self.read(connection, limit, body)
    }

    /// The same on the connection's own thread.
    func readAside<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await limit.acquireAside(connection)
        defer { limit.release(connection) }
        return try await ArchiveError.wrapping(folder.database) {
            try await connection.queue().run { db in try Self.transaction(db, body) }
        }
    }

    private static func read<T>(
        _ connection: ReaderConnection, _ limit: ConnectionLimit, _ body: (Database) throws -> T
    ) throws -> T {
        try limit.acquire(connection)
        defer { limit.release(connection) }
        return try ArchiveError.wrapping(connection.path) {
            try connection.queue().writeWithoutTransaction { db in try transaction(db, body) }
        }
    }

    private static func transaction<T>(_ db: Database, _ body: (Database) throws -> T) throws -> T {
        // Cached: compiling BEGIN and COMMIT anew, as GRDB does, costs a tenth of a page.
        try db.cachedStatement(sql: "BEGIN DEFERRED").execute()
        defer { try? db.cachedStatement(sql: "COMMIT").execute() }
        return try body(db)
    }
}

/// A read-only connection, opened when it is needed.
private final class ReaderConnection: ConnectionHolder {
    let path: String
    private let open: @Sendable () throws -> DatabaseQueue
    private let state = Mutex<DatabaseQueue?>(nil)

    init(path: String, open: @escaping @Sendable () throws -> DatabaseQueue) {
        (self.path, self.open) = (path, open)
    }

    func queue() throws -> DatabaseQueue {
        try state.withLock { queue in
            if let queue { return queue }
            let opened = try open()
            queue = opened
            return opened
        }
    }

    func closeIdle() {
        // Closed with the value, also when an error kept it from being closed at once.
        state.withLock { queue in
            try? queue?.close()
            queue = nil
        }
    }
}

extension AccountIdentity {
    /// As a file tells it, of any schema.
    init(_ db: Database, path: String) throws {
        self = try Self.read(db, path: path).account
    }

    fileprivate static func read(_ db: Database, path: String) throws -> (schema: Int, account: AccountIdentity) {
        let version = try Schema.version(db, path: path)
        guard let row = try Row.fetchOne(db, sql: "SELECT name, network FROM account") else {
            throw ArchiveError(code: .corrupt, detail: "\(path) says of no account that it is its own")
        }
        return try (version, AccountIdentity(name: row.value(0), network: row.value(1)))
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
