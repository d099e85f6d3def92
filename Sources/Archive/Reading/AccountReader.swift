import ChatModel
import GRDB

/// Reads one account's file. Its connection closes when other accounts need the place, and reopens on the next use. The
/// reader holds the shared lock that keeps the file in place. Reads a cold account from a private copy, which is made
/// again with each new connection.
final class AccountReader: Sendable {
    let account: AccountIdentity
    let folder: AccountFolder
    let useLock: FileLock
    /// True if the reader reads a private copy of a compressed file.
    let isCopy: Bool
    private let connection: ReaderConnection
    private let limit: ConnectionLimit

    /// - Parameters:
    ///   - lock: The folder's `lock`, shared.
    ///   - cold: The expected content of the compressed file; nil for a plain file.
    ///   - progress: Receives the number of bytes done of a private copy, and nil at its end.
    /// - Throws: ``ArchiveError`` if the file can't be opened, is not Scrollback's, or has another schema than this
    ///   program's.
    init(
        folder: AccountFolder, lock: FileLock, limit: ConnectionLimit, cold: FileDigest? = nil,
        progress: @escaping @Sendable (Int64?) -> Void = { _ in }
    ) throws {
        self.folder = folder
        self.limit = limit
        useLock = lock
        isCopy = cold != nil
        let path = cold == nil ? folder.database : folder.cold
        let connection = ReaderConnection(path: path) {
            guard let cold else { return try SQLiteConnection.reading(path: path) }
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
                        detail: "\(path) has schema \(version), but this scrollback needs \(Schema.current)")
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

    /// Runs a read transaction, which sees one state of the file. Keep it short: checkpoints wait for it.
    ///
    /// Runs on the caller's thread, which must be one that may wait for a disk (``OwnThread``).
    func read<T>(_ body: (ReadTransaction) throws -> T) throws -> T {
        try Self.read(connection, limit) { db in try body(ReadTransaction(db)) }
    }

    private static func read<T>(
        _ connection: ReaderConnection, _ limit: ConnectionLimit, _ body: (Database) throws -> T
    ) throws -> T {
        try limit.acquire(connection)
        defer { limit.release(connection) }
        return try ArchiveError.wrapping(connection.path) {
            try connection.opening.opened().writeWithoutTransaction { db in try transaction(db, body) }
        }
    }

    private static func transaction<T>(_ db: Database, _ body: (Database) throws -> T) throws -> T {
        // Uses cached statements, because compiling BEGIN and COMMIT for each read, as GRDB does, takes a tenth of the
        // time of a page.
        try db.cachedStatement(sql: "BEGIN DEFERRED").execute()
        defer { try? db.cachedStatement(sql: "COMMIT").execute() }
        return try body(db)
    }
}

/// A read-only connection that opens on first use.
private final class ReaderConnection: ConnectionHolder {
    let path: String
    let opening: Opening

    init(path: String, open: @escaping @Sendable () throws -> DatabaseQueue) {
        (self.path, opening) = (path, Opening(open))
    }

    func closeIdle() { opening.close() }
}

extension AccountIdentity {
    /// Reads the identity from a file of any schema.
    init(_ db: Database, path: String) throws {
        self = try Self.read(db, path: path).account
    }

    fileprivate static func read(_ db: Database, path: String) throws -> (schema: Int, account: AccountIdentity) {
        let version = try Schema.version(db, path: path)
        let account = try ReadTransaction(db).first("SELECT name, network FROM account") { row in
            try AccountIdentity(name: row.text(0), network: row.text(1))
        }
        guard let account else { throw ArchiveError(code: .corrupt, detail: "\(path) has no account name") }
        return (version, account)
    }
}

extension AccountReader {
    /// Returns the account's status, and the tally to pass to the next call.
    func status(tally: GapTally? = nil) throws -> (status: AccountStatus, tally: GapTally?) {
        var tally = tally
        let isWritten = folder.isWritten
        let status = try read { db in
            try AccountStatus.read(account, folder: folder, isWritten: isWritten, tally: &tally, db)
        }
        return (status, tally)
    }
}

extension AccountReader {
    /// Returns today's name of the account's own person; nil if there is none.
    func ownName() throws -> String? {
        try read { db in
            try db.text(
                """
                SELECT name FROM "user" JOIN user_name ON user_id = "user".id AND last_seen_us IS NULL WHERE is_self = 1
                """)
        }
    }
}
