import CSQLite
import Foundation
import GRDB
import GRDBSQLite
import Migrations
import Synchronization

/// Opens account files with the settings that the store's guarantees depend on.
enum SQLiteConnection {
    /// Opens the account's only writing connection. Only this connection runs checkpoints.
    static func writing(path: String) throws -> DatabaseQueue {
        try writing(path) { db in
            try db.execute(
                sql: """
                    PRAGMA trusted_schema = OFF;
                    PRAGMA cell_size_check = ON;
                    PRAGMA journal_mode = WAL;
                    PRAGMA synchronous = FULL;
                    PRAGMA wal_autocheckpoint = 1000;
                    PRAGMA journal_size_limit = 67108864;
                    """)
            // Keeps the emptied WAL and shared memory files when it closes, as readers do: creating both again takes a
            // fifth of the time of opening an account.
            var isKept: CInt = 1
            sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
        }
    }

    /// Opens a connection that turns an account's WAL file into a single file or back. It leaves the journal mode as it
    /// is.
    static func sealing(path: String) throws -> DatabaseQueue {
        try writing(path) { db in
            try db.execute(
                sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL;")
        }
    }

    /// Rolls back an unfinished transaction by opening the file for writing, and removes a journal that SQLite leaves
    /// because nothing was written yet. The caller holds the exclusive lock.
    static func settleJournal(of folder: AccountFolder) throws {
        guard folder.hasJournal else { return }
        try writing(path: folder.database).close()
        try FolderEntries.remove(folder.database + "-journal")
    }

    /// Opens a connection that can't write, not even a checkpoint when it closes last.
    static func reading(path: String) throws -> DatabaseQueue {
        try open(canChange(path) ? path : immutableURI(path), readOnly())
    }

    /// Opens a file that no process writes, and creates nothing beside it.
    static func immutable(path: String) throws -> DatabaseQueue {
        try open(immutableURI(path), readOnly())
    }

    /// Opens a file that no process writes and that may have no name.
    static func immutable(_ file: OpenFile) throws -> DatabaseQueue {
        try withExtendedLifetime(file) {
            let path = try DescriptorPath.of(file.descriptor)
            return try open("file:\(path)?immutable=1", readOnly())
        }
    }

    /// Opens a file that may have no name and that no other connection has open, for one writing. The connection keeps no
    /// journal, which would need a name: after an error the file is useless.
    static func filling(_ file: OpenFile) throws -> DatabaseQueue {
        try withExtendedLifetime(file) {
            var configuration = shared()
            configuration.prepareDatabase { db in
                try db.execute(
                    sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF;")
            }
            return try open(DescriptorPath.of(file.descriptor), configuration)
        }
    }

    /// Opens a connection with the settings given, of an account's file or of the catalog.
    static func open(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
        #if DEBUG
            watch.withLock { $0 }?(path, OwnThread.mayWait)
        #endif
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Opens a connection that can write.
    ///
    /// If SQLite (3.40) can't make the shared memory, it may remove a WAL file that it did not read. So closing removes
    /// nothing until something was read.
    private static func writing(
        _ path: String, _ prepare: @escaping @Sendable (Database) throws -> Void
    ) throws -> DatabaseQueue {
        var configuration = shared()
        configuration.prepareDatabase { db in
            sqlite3_db_config_checkpoint_on_close(db.pointer, 0)
            try prepare(db)
        }
        let queue = try open(path, configuration)
        try queue.inDatabase { db in
            _ = try Row.fetchOne(db, sql: "SELECT 1 FROM sqlite_master LIMIT 1")
            sqlite3_db_config_checkpoint_on_close(db.pointer, 1)
        }
        return queue
    }

    #if DEBUG
        /// Receives every opening of a connection, for tests; `mayWait` is true when the thread may wait for a disk.
        static let watch = Mutex<(@Sendable (_ path: String, _ mayWait: Bool) -> Void)?>(nil)
    #endif

    private static func readOnly() -> Configuration {
        var configuration = shared()
        configuration.readonly = true
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            // GRDB records every column that a statement reads, for observers of a writer. That takes a quarter of the
            // time of opening a file and reading a page.
            sqlite3_set_authorizer(db.sqliteConnection, nil, nil)
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")
        }
        return configuration
    }

    /// Returns true if the file may be written. Even a reader of a file in WAL mode creates a missing `-wal`; where it
    /// may not, no process can write the file.
    private static func canChange(_ path: String) -> Bool {
        let folder = path.parentFolder
        return access(folder, W_OK) == 0 || access(path + "-wal", F_OK) == 0
    }

    /// Returns a URI for immutable opening. Debian builds SQLite with `SQLITE_USE_URI`; without that option the file
    /// can't be found.
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

extension Database {
    fileprivate var pointer: UnsafeMutableRawPointer? { sqliteConnection.map { UnsafeMutableRawPointer($0) } }
}

extension DatabaseQueue {
    /// Runs the body on the queue's own thread, after the work that is already queued, because SQLite may block on a
    /// slow disk for seconds and Swift's shared threads must not block.
    ///
    /// Cancelling the calling task does not cancel the body, so that received events are committed while the listener
    /// stops.
    func run<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            asyncWriteWithoutTransaction { db in
                continuation.resume(with: Result { try DatabaseError.describingDamage { try body(db) } })
            }
        }
    }
}

/// The schema of account files, and its migrations.
enum Schema {
    static var current: Int { Migrations.all.count }

    /// Returns the number of the file's schema.
    ///
    /// - Throws: ``ArchiveError`` if the file is empty or not Scrollback's, or newer than this program.
    static func version(_ db: Database, path: String) throws -> Int {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        guard application == Migrations.applicationID, version >= 1 else {
            throw ArchiveError(code: .corrupt, detail: "\(path) is not a Scrollback account file")
        }
        guard version <= current else {
            throw ArchiveError(
                code: .schemaTooNew,
                detail: "\(path) has schema \(version), but this scrollback supports only \(current)")
        }
        return version
    }

    /// Puts the table first that SQLite's integrity check reads first, as migration 0017 explains. VACUUM undoes it.
    static func putFirstTableLast(_ db: Database) throws {
        try db.execute(
            sql: """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET rowid = (SELECT max(rowid) + 1 FROM sqlite_schema) WHERE name = 'message_raw';
                PRAGMA writable_schema = RESET;
                """)
    }

    /// Migrates the file to the current schema in one transaction: a crash or a damaged column leaves the file as it
    /// was.
    ///
    /// - Parameters:
    ///   - isNew: True if the file was just created and has no schema yet.
    ///   - wanted: The schema to reach; an older one only for what is older itself.
    /// - Throws: ``ArchiveError`` with `corrupt` if a migration fails on a column's value.
    static func migrate(_ db: Database, path: String, isNew: Bool = false, to wanted: Int = current) throws {
        let version = isNew ? 0 : try version(db, path: path)
        guard version < wanted else { return }
        try db.inTransaction(.immediate) {
            for migration in Migrations.all[version..<wanted] {
                do {
                    try db.execute(sql: migration.sql)
                } catch let error as DatabaseError where !error.isStorageError {
                    let message = error.message ?? "SQLite error \(error.resultCode.rawValue)"
                    throw ArchiveError(
                        code: .corrupt,
                        detail: "\(path) is damaged: migration \(migration.name) of its schema \(version) failed "
                            + "(\(message)); the file is unchanged")
                }
            }
            try db.execute(sql: "PRAGMA application_id = \(Migrations.applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(wanted)")
            return .commit
        }
    }
}
