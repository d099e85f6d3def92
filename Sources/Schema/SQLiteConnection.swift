import Bytes
import CSQLite
package import Files
import FoundationEssentials
import Glibc
package import SQLite
import Synchronization

/// Opens account files with the settings that the store's guarantees depend on.
package enum SQLiteConnection {
    /// Opens the account's only writing connection. Only this connection runs checkpoints.
    package static func writing(path: String) throws -> DatabaseQueue {
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
            sqlite3_file_control(db.handle, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
        }
    }

    /// Opens a connection that turns an account's WAL file into a single file or back. It leaves the journal mode as it
    /// is.
    package static func sealing(path: String) throws -> DatabaseQueue {
        try writing(path) { db in
            try db.execute(
                sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL;")
        }
    }

    /// Rolls back an unfinished transaction by opening the file for writing, and removes a journal that SQLite leaves
    /// because nothing was written yet. The caller holds the exclusive lock.
    package static func settleJournal(of path: String) throws {
        let journal = path + "-journal"
        guard FolderEntries.size(of: journal) != nil else { return }
        try writing(path: path).close()
        try FolderEntries.remove(journal)
    }

    /// Opens a connection that can't write, not even a checkpoint when it closes last.
    package static func reading(path: String) throws -> DatabaseQueue {
        try readOnly(canChange(path) ? path : immutableURI(path))
    }

    /// Opens a file that no process writes, and creates nothing beside it.
    package static func immutable(path: String) throws -> DatabaseQueue {
        try readOnly(immutableURI(path))
    }

    /// Opens a file that no process writes and that may have no name.
    package static func immutable(_ file: OpenFile) throws -> DatabaseQueue {
        try withExtendedLifetime(file) {
            let path = try DescriptorPath.of(file.descriptor)
            return try readOnly("file:\(path)?immutable=1")
        }
    }

    /// Opens a file that may have no name and that no other connection has open, for one writing. The connection keeps no
    /// journal, which would need a name: after an error the file is useless.
    package static func filling(_ file: OpenFile) throws -> DatabaseQueue {
        try withExtendedLifetime(file) {
            try open(DescriptorPath.of(file.descriptor)) { db in
                try db.execute(
                    sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF;")
            }
        }
    }

    /// Opens a connection of an account's file or of the catalog.
    ///
    /// - Parameter timeout: The longest wait for another connection's lock in milliseconds.
    package static func open(
        _ path: String, isReadOnly: Bool = false, timeout: Int32 = 5000,
        _ prepare: (Database) throws -> Void = { _ in }
    ) throws -> DatabaseQueue {
        watch.withLock { $0 }?(path, OwnThread.mayWait)
        return try DatabaseQueue(path: path, isReadOnly: isReadOnly, timeout: timeout, prepare: prepare)
    }

    /// Opens a connection that can write.
    ///
    /// If SQLite (3.40) can't make the shared memory, it may remove a WAL file that it did not read. So closing removes
    /// nothing until something was read.
    private static func writing(_ path: String, _ prepare: (Database) throws -> Void) throws -> DatabaseQueue {
        let queue = try open(path) { db in
            sqlite3_db_config_checkpoint_on_close(db.handle, 0)
            try prepare(db)
        }
        queue.sync { db in _ = sqlite3_db_config_checkpoint_on_close(db.handle, 1) }
        return queue
    }

    /// Receives every opening of a connection, for tests; `mayWait` is true when the thread may wait for a disk.
    static let watch = Mutex<(@Sendable (_ path: String, _ mayWait: Bool) -> Void)?>(nil)

    private static func readOnly(_ path: String) throws -> DatabaseQueue {
        try open(path, isReadOnly: true) { db in
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")
        }
    }

    /// Returns true if the file may be written. Even a reader of a file in WAL mode creates a missing `-wal`; where it
    /// may not, no process can write the file.
    private static func canChange(_ path: String) -> Bool {
        let folder = path.parentFolder
        return access(folder, W_OK) == 0 || access(path + "-wal", F_OK) == 0
    }

    /// Returns a URI for immutable opening.
    private static func immutableURI(_ path: String) -> String {
        let absolute = URL(fileURLWithPath: path).path
        let escaped = absolute.split(separator: "/", omittingEmptySubsequences: false).map {
            PercentCode.encode(String($0))
        }
        .joined(separator: "/")
        return "file:\(escaped)?immutable=1"
    }
}
