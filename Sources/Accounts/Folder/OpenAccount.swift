package import ChatModel
package import Files
package import SQLite
import Schema

/// An account that is open for reading: its file, or its tables in a shared archive.
///
/// A file is kept in place by a shared lock. A cold account is read from a private copy, which is made again with each
/// new connection.
package final class OpenAccount: Sendable {
    package let account: AccountIdentity
    /// When the account was created. A restored file keeps the time, and an account that was erased and made again has
    /// another.
    let createdAt: Timestamp
    private let source: Source

    private enum Source {
        case file(AccountFile, ReaderConnection, ConnectionLimit)
        case shared(SharedServer, SharedServer.Account)
    }

    /// A file that is being read.
    package struct AccountFile: Sendable {
        package let folder: AccountFolder
        /// The folder's `lock`, shared; nil for a copy that does not need the compressed file any more.
        package let useLock: FileLock?
        /// True if the reader reads a private copy of a compressed file.
        package let isCopy: Bool
    }

    /// The file; nil for an account of a shared archive.
    var file: AccountFile? { if case .file(let file, _, _) = source { file } else { nil } }

    /// - Parameters:
    ///   - lock: The folder's `lock`, shared.
    ///   - keepsLock: False to release the lock once the file is open.
    ///   - cold: The compressed file and its expected content; nil for a plain file.
    ///   - progress: Receives the number of bytes done of a private copy, and nil at its end.
    /// - Throws: ``ArchiveError`` if the file can't be opened, is not Scrollback's, or has another schema than this
    ///   program's.
    package init(
        folder: AccountFolder, lock: FileLock, keepsLock: Bool = true, limit: ConnectionLimit,
        cold: (file: ColdFile, content: FileDigest)? = nil,
        progress: @escaping @Sendable (Int64?) -> Void = { _ in }
    ) throws {
        defer { withExtendedLifetime(lock) {} }
        let path = cold?.file.path ?? folder.database
        let connection = ReaderConnection(path: path) { [reserve = limit.reserve] in
            try reserve?.require()
            guard let cold else { return try SQLiteConnection.reading(path: path) }
            defer { progress(nil) }
            return try PrivateCopy.open(cold.file, expecting: cold.content) { bytes in
                try ReadLimit.current?.check()
                progress(bytes)
            }.queue
        }
        source = .file(
            AccountFile(folder: folder, useLock: keepsLock ? lock : nil, isCopy: cold != nil), connection, limit)
        do {
            (account, createdAt) = try Self.read(connection, limit) { db in
                let (version, account, createdAt) = try AccountIdentity.read(db, path: path)
                guard version == Schema.account.current else {
                    throw ArchiveError(
                        code: .schemaTooOld,
                        detail: "\(path) has schema \(version), but this scrollback needs \(Schema.account.current)")
                }
                return (account, createdAt)
            }
        } catch {
            limit.remove(connection)
            throw error
        }
    }

    /// Reads an account of a shared archive, also after another epoch replaced its tables.
    package init(_ server: SharedServer, _ account: SharedServer.Account) {
        (self.account, createdAt, source) = (account.identity, account.createdAt, .shared(server, account))
    }

    deinit {
        if case .file(_, let connection, let limit) = source { limit.remove(connection) }
    }

    /// Opens the account a second time, to read it on another thread at the same time.
    ///
    /// - Returns: Nil for a private copy of a compressed file, and for an account of a shared archive.
    /// - Throws: ``ArchiveError`` if the file can't be opened.
    func openedAgain() throws -> OpenAccount? {
        guard case .file(let file, _, let limit) = source, !file.isCopy, let lock = file.useLock else { return nil }
        return try OpenAccount(folder: file.folder, lock: lock, limit: limit)
    }

    /// Runs a read transaction, which sees all of the account.
    func read<T>(_ body: (ReadTransaction) throws -> T) throws -> T {
        switch source {
        case .file(_, let connection, let limit):
            try Self.read(connection, limit) { db in try body(ReadTransaction(db)) }
        case .shared(let server, let account): try server.read(account, body)
        }
    }

    /// True if the reader reads a private copy of a compressed file.
    package var isCopy: Bool { file?.isCopy == true }

    /// Lets a caller use the connection of the account's file until it calls `end`, for a read transaction that lasts as
    /// long as a value. Use it on one thread at a time, and meanwhile call no other function that reads the account.
    /// Checkpoints wait for it.
    ///
    /// - Parameter begin: Begins the use. If it throws, the use has ended.
    /// - Throws: ``ArchiveError``, with `sharedArchive` for an account of a shared archive.
    package func hold<Use>(
        _ begin: (_ path: String, _ queue: DatabaseQueue, _ end: @escaping () -> Void) throws -> Use
    ) throws -> Use {
        guard case .file(_, let connection, let limit) = source else { throw ArchiveError.needsFiles }
        try limit.acquire(connection)
        do {
            return try ArchiveError.wrapping(connection.path) {
                try begin(connection.path, connection.opening.opened()) { [connection, limit] in
                    limit.release(connection)
                }
            }
        } catch {
            limit.release(connection)
            throw error
        }
    }

    /// True if a listener writes the account now; for a shared archive, if the copy was complete in the last minute.
    var isWritten: Bool {
        switch source {
        case .file(let file, _, _): file.folder.isWritten
        case .shared(let server, let account):
            (try? server.copy(of: account.folder))?.caughtUpAt
                .map { Timestamp.now().microseconds - $0.microseconds < 60_000_000 } ?? false
        }
    }

    /// Returns a look at ``isWritten`` for a read transaction. A shared archive is asked now: the transaction may have the
    /// only connection that a pooler gives.
    package func lookAtWriter() -> @Sendable () -> Bool {
        guard case .shared = source else { return { [self] in isWritten } }
        let isWrittenNow = isWritten
        return { isWrittenNow }
    }

    /// Returns the present state of the account, which changes with each commit; nil for a file that is changing now.
    /// Costs two `stat`; for a shared archive, a statement now and then.
    func stamp() throws -> Stamp? {
        switch source {
        case .file(let file, _, _):
            let now = Timestamp.now()
            let stamp = FileStamp(database: file.folder.database)
            return stamp.isSettled(atNanoseconds: now.microseconds * 1000) ? .file(stamp) : nil
        case .shared(let server, let account):
            let copy = try server.copy(of: account.folder)
            return .copy(number: copy?.number, seq: copy?.seq)
        }
    }

    /// A state of an account.
    package enum Stamp: Equatable {
        case file(FileStamp)
        case copy(number: Int64?, seq: Int64?)
    }

    private static func read<T>(
        _ connection: ReaderConnection, _ limit: ConnectionLimit, _ body: (Database) throws -> T
    ) throws -> T {
        try limit.acquire(connection)
        defer { limit.release(connection) }
        return try ArchiveError.wrapping(connection.path) {
            try connection.opening.opened().read { db in try ReadLimit.apply(to: db) { try body(db) } }
        }
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
    /// Reads the identity from a file of any known schema.
    init(_ db: Database, path: String) throws {
        self = try Self.read(db, path: path).account
    }

    fileprivate static func read(
        _ db: Database, path: String
    ) throws -> (schema: Int, account: AccountIdentity, createdAt: Timestamp) {
        let version = try Schema.account.version(db, path: path)
        let found = try ReadTransaction(db).first("SELECT name, network, created_at_us FROM account") { row in
            (try AccountIdentity(name: row.text(0), network: row.text(1)), try row.time(2))
        }
        guard let found else { throw ArchiveError(code: .corrupt, detail: "\(path) has no account name") }
        return (version, found.0, found.1)
    }
}
