import Foundation
import GRDB
import GRDBSQLite
import Migrations
import Synchronization

/// Opens account files with the settings that the store's promises rest on.
enum Connection {
    /// The one connection that writes, and the only one that ever checkpoints.
    static func writing(path: String) throws -> DatabaseQueue {
        var configuration = shared()
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA trusted_schema = OFF;
                    PRAGMA cell_size_check = ON;
                    PRAGMA journal_mode = WAL;
                    PRAGMA synchronous = FULL;
                    PRAGMA wal_autocheckpoint = 1000;
                    PRAGMA journal_size_limit = 67108864;
                    """)
            // Emptied and left when it closes, with the shared memory, as a reader leaves them: making two files anew takes a
            // fifth of opening an account.
            var isKept: CInt = 1
            sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
        }
        return try open(path, configuration)
    }

    /// A connection to make one file of an account's, or to make it one to write again: the journal's mode stays what it is.
    static func sealing(path: String) throws -> DatabaseQueue {
        var configuration = shared()
        configuration.prepareDatabase { db in
            try db.execute(
                sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL;")
        }
        return try open(path, configuration)
    }

    /// SQLite takes back what a journal tells, through a connection that may write, and leaves one that tells nothing yet:
    /// then nothing was written. Under the exclusive lock.
    static func settleJournal(of folder: AccountFolder) throws {
        guard folder.hasJournal else { return }
        try writing(path: folder.database).close()
        try FolderEntries.remove(folder.database + "-journal")
    }

    /// A connection that can't write, not even a checkpoint when it is the last to close.
    static func reading(path: String) throws -> DatabaseQueue {
        try open(canChange(path) ? path : immutableURI(path), readOnly())
    }

    /// Of a file that nobody writes, in any process: nothing is made beside it.
    static func immutable(path: String) throws -> DatabaseQueue {
        try open(immutableURI(path), readOnly())
    }

    /// Opens a file that nobody writes and that may have no name.
    static func immutable(_ file: OpenFile) throws -> DatabaseQueue {
        try withExtendedLifetime(file) {
            let path = try DescriptorPath.of(file.descriptor)
            return try open("file:\(path)?immutable=1", readOnly())
        }
    }

    /// Opens a connection with the settings given, of an account's file or of the catalog.
    static func open(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
        #if DEBUG
            watch.withLock { $0 }?(path, OwnThread.mayWait)
        #endif
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    #if DEBUG
        /// Sees every opening of a connection and every read, for tests; `mayWait` says whether the thread may wait for a disk.
        static let watch = Mutex<(@Sendable (_ path: String, _ mayWait: Bool) -> Void)?>(nil)
    #endif

    private static func readOnly() -> Configuration {
        var configuration = shared()
        configuration.readonly = true
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            // GRDB notes every column that a statement reads, for those who observe a writer: a quarter of what opening
            // a file and reading a page takes.
            sqlite3_set_authorizer(db.sqliteConnection, nil, nil)
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")
        }
        return configuration
    }

    /// Even a reader of a file in WAL mode makes a `-wal` where there is none; where it may not, nobody can write either.
    private static func canChange(_ path: String) -> Bool {
        let folder = (path as NSString).deletingLastPathComponent
        return access(folder, W_OK) == 0 || access(path + "-wal", F_OK) == 0
    }

    /// SQLite is built with `SQLITE_USE_URI` on Debian; where it isn't, such a file can't be found.
    private static func immutableURI(_ path: String) -> String {
        let absolute = URL(fileURLWithPath: path).path
        let escaped = absolute.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? absolute
        return "file:\(escaped)?immutable=1"
    }

    private static func shared() -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        return configuration
    }
}

extension DatabaseQueue {
    /// Runs the body behind what is on the queue, on the queue's own thread: SQLite may block on a slow disk for seconds,
    /// and never does so on Swift's shared threads.
    ///
    /// Not cancelled with the calling task: what was received is committed even as the listener stops.
    func run<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            asyncWriteWithoutTransaction { db in
                continuation.resume(with: Result { try DatabaseError.describingDamage { try body(db) } })
            }
        }
    }
}

/// Which schema a file has, and the way to today's.
enum Schema {
    static var current: Int { Migrations.all.count }

    /// - Throws: ``ArchiveError`` when the file is not ours, an empty one included, or newer than this program.
    static func version(_ db: Database, path: String) throws -> Int {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        guard application == Migrations.applicationID, version >= 1 else {
            throw ArchiveError(code: .corrupt, detail: "\(path) is not a Scrollback account file")
        }
        guard version <= current else {
            throw ArchiveError(
                code: .schemaTooNew,
                detail: "\(path) has schema \(version), this scrollback knows \(current)")
        }
        return version
    }

    /// Brings the file to today's schema in one transaction: a kill or a damaged column leaves the file as it was.
    ///
    /// - Parameter isNew: We have just made the file, so that it need not be ours yet.
    /// - Throws: ``ArchiveError`` with `corrupt` when a column holds what a migration can't take.
    static func migrate(_ db: Database, path: String, isNew: Bool = false) throws {
        let version = isNew ? 0 : try version(db, path: path)
        guard version < current else { return }
        try db.inTransaction(.immediate) {
            for migration in Migrations.all.dropFirst(version) {
                do {
                    try db.execute(sql: migration.sql)
                } catch let error as DatabaseError where !error.isTroubleOfTheStore {
                    let said = error.message ?? "SQLite error \(error.resultCode.rawValue)"
                    throw ArchiveError(
                        code: .corrupt,
                        detail: "\(path) is damaged: migration \(migration.name) of its schema \(version) failed "
                            + "(\(said)), and the file is unchanged")
                }
            }
            try db.execute(sql: "PRAGMA application_id = \(Migrations.applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(current)")
            return .commit
        }
    }
}
