import Bytes
import CSQLite
import FoundationEssentials
import Glibc
import Rendering
import SQLite

/// A read-only connection to the SQLite file of another program. Writes nothing to the file or beside it, and trusts
/// nothing in it.
final class SQLiteFile {
    /// The first bytes of every SQLite file (sqlite.org/fileformat2.html §1.3).
    static let magic = Array("SQLite format 3\0".utf8)

    /// 2 MiB: twice the longest message object of any format. It bounds the memory of a value, also of a hostile file.
    static let maximumValue = 2 * 1024 * 1024

    let path: String
    /// The size of the file and its write-ahead log in bytes, when it was opened.
    let size: Int64
    /// True for a file in WAL mode without a log.
    let lacksLog: Bool
    /// The tables that may be read, and the limits of the work.
    let guardian: SQLiteGuard
    /// The size and the time of change of a file that is read without locks; nil for a file that SQLite locks.
    private var unlocked: stat?
    private let db: Database

    /// - Throws: ``UnreadableBytes`` if the file or its write-ahead log can't be read.
    init(path: String, isStopped: @escaping () -> Bool) throws {
        // SQLite names the files beside the database after its real path.
        let real = realpath(path, nil)
        defer { free(real) }
        self.path = real.map { String(cString: $0) } ?? path
        try Self.refuseUnusual(beside: self.path)
        let options = try Self.options(self.path)
        lacksLog = options == Self.immutable
        if lacksLog { unlocked = try Self.status(self.path) }
        size = [self.path, self.path + "-wal"].reduce(0) { $0 + Int64((try? Self.status($1))?.st_size ?? 0) }
        guardian = SQLiteGuard(size: size, isStopped: isStopped)
        db = try Self.describing(guardian) { [path = self.path] in
            try Database(path: Self.uri(path, options), isReadOnly: true, timeout: Self.timeout)
        }
        try restrict()
        guardian.install(on: db.handle)
    }

    /// The longest wait for another program's lock, in milliseconds, as for our own files.
    private static let timeout: Int32 = 5000
    private static let immutable = "immutable=1"

    // MARK: - Opening

    /// Returns the options of the URI, with which SQLite reads the file without writing beside it.
    ///
    /// A file in WAL mode is read with its log if the index of the log (`-shm`) exists, because SQLite would create a
    /// missing one. Without a log, no program writes the file now, so it is opened as immutable.
    private static func options(_ path: String) throws(UnreadableBytes) -> String {
        guard try header(path).dropFirst(18).contains(2) else { return "mode=ro" }
        let log = try? status(path + "-wal")
        let hasIndex = access(path + "-shm", F_OK) == 0
        if log != nil, hasIndex { return "mode=ro&readonly_shm=1" }
        guard (log?.st_size ?? 0) == 0 else {
            let name = Sanitizer.line(URL(filePath: path).lastPathComponent)
            throw UnreadableBytes(
                reason: "its newest changes are in \(name)-wal, which can't be read without \(name)-shm",
                hint: "copy both files to another folder and merge them there: sqlite3 \(name) VACUUM")
        }
        return immutable
    }

    /// Refuses a pipe or a device beside the file, for which SQLite would wait without end.
    private static func refuseUnusual(beside path: String) throws(UnreadableBytes) {
        for path in endings.map({ path + $0 }) {
            guard let status = try? status(path), status.st_mode & S_IFMT != S_IFREG else { continue }
            let name = Sanitizer.line(URL(filePath: path).lastPathComponent)
            throw UnreadableBytes(reason: "\(name) beside it is not a plain file", hint: "remove it")
        }
    }

    /// The endings of the files that SQLite keeps beside a database.
    private static let endings = ["-wal", "-shm", "-journal"]

    /// Returns the header's bytes up to the format versions for writing and reading, which are 2 in WAL mode.
    private static func header(_ path: String) throws(UnreadableBytes) -> [UInt8] {
        try bytes(of: path, count: 20)
    }

    /// Returns the first bytes of a file, fewer if the file ends. A pipe is an error, and is not waited for.
    static func bytes(of path: String, count: Int) throws(UnreadableBytes) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw UnreadableBytes(errno: errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &bytes, count, 0)
        guard read >= 0 else { throw UnreadableBytes(errno: errno) }
        return Array(bytes.prefix(read))
    }

    /// Returns true for a file that SQLite keeps beside a database: `x.sqlite-wal`, `x.sqlite-shm`, `x.sqlite-journal`.
    static func isBesideDatabase(_ path: String) -> Bool {
        endings.contains { ending in
            guard path.hasSuffix(ending) else { return false }
            let database = try? bytes(of: String(path.dropLast(ending.count)), count: magic.count)
            return database == magic
        }
    }

    private static func status(_ path: String) throws(UnreadableBytes) -> stat {
        var status = stat()
        guard stat(path, &status) == 0 else { throw UnreadableBytes(errno: errno) }
        return status
    }

    private static func uri(_ path: String, _ options: String) -> String {
        let escaped = path.split(separator: "/", omittingEmptySubsequences: false).map {
            PercentCode.encode(String($0))
        }
        .joined(separator: "/")
        return "file:\(escaped)?\(options)"
    }

    /// Turns off what a file may ask of its reader (sqlite.org/security.html §1.2).
    private func restrict() throws {
        for (option, isOn) in Self.switches {
            sqlite3_db_config_switch(db.handle, option, isOn ? 1 : 0)
        }
        for (limit, value) in Self.maxima { sqlite3_limit(db.handle, limit, Int32(value)) }
        // An index that SQLite makes for one query would take memory or a file of the table's size. A mapped file that
        // another program cuts would end this process.
        try execute(
            """
            PRAGMA cell_size_check = ON; PRAGMA query_only = ON; PRAGMA automatic_index = OFF; PRAGMA mmap_size = 0
            """)
    }

    private static let switches = [
        (SQLITE_DBCONFIG_DEFENSIVE, true), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (SQLITE_DBCONFIG_ENABLE_VIEW, false), (SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
    ]

    /// The limits of sqlite.org/security.html, except for a value. What bounds a schema is ten times as much, because
    /// SQLite reads the whole schema of any program, also of an unknown one.
    private static let maxima = [
        (SQLITE_LIMIT_LENGTH, maximumValue), (SQLITE_LIMIT_SQL_LENGTH, 100_000), (SQLITE_LIMIT_COLUMN, 1000),
        (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COMPOUND_SELECT, 30), (SQLITE_LIMIT_FUNCTION_ARG, 80),
        (SQLITE_LIMIT_VDBE_OP, 25_000), (SQLITE_LIMIT_VARIABLE_NUMBER, 10), (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50), (SQLITE_LIMIT_TRIGGER_DEPTH, 10), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    // MARK: - Reading

    /// - Throws: ``UnreadableBytes`` if a file that is read without locks has changed since it was opened.
    func checkUnchanged() throws(UnreadableBytes) {
        guard let before = unlocked else { return }
        let now = try Self.status(path)
        guard now.st_size == before.st_size, now.st_mtim.tv_sec == before.st_mtim.tv_sec,
            now.st_mtim.tv_nsec == before.st_mtim.tv_nsec
        else { throw UnreadableBytes.changed }
    }

    func execute(_ sql: String) throws {
        try describing { try db.execute(sql: sql) }
    }

    /// Ends a transaction, also one that SQLite has ended after an error.
    func endTransaction() {
        if db.isInsideTransaction { try? db.execute(sql: "COMMIT") }
    }

    func prepare(_ sql: String) throws -> Statement {
        try describing { try db.makeStatement(sql: sql) }
    }

    /// What a step of a query led to.
    enum Step {
        case row, done
        /// A value of the next row is longer than ``maximumValue``. The query must begin again.
        case tooLong
    }

    func step(_ statement: Statement) throws -> Step {
        try describing {
            do {
                return try statement.step() ? .row : .done
            } catch let error as DatabaseError where error.primaryCode == SQLITE_TOOBIG {
                return .tooLong
            }
        }
    }

    /// Returns the first number of a query; 0 if it has none.
    func number(_ sql: String) throws -> Int64 {
        try describing { try Int64.fetchOne(db, sql: sql) ?? 0 }
    }

    /// Returns the texts of a query's rows; nil for a null.
    func texts(_ sql: String, _ arguments: [String] = []) throws -> [[String?]] {
        try describing {
            try db.allRows(sql: sql, arguments: StatementArguments(arguments)) { row in
                (0..<row.count).map { row.isNull($0) ? nil : String(decoding: row.bytes($0), as: UTF8.self) }
            }
        }
    }

    private func describing<T>(_ body: () throws -> T) throws -> T { try Self.describing(guardian, body) }

    /// - Throws: ``UnreadableBytes`` for an error of SQLite; ``ImportStopped`` when asked to stop.
    private static func describing<T>(_ guardian: SQLiteGuard, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw describe(error, guardian)
        }
    }

    private static func describe(_ error: DatabaseError, _ guardian: SQLiteGuard) -> any Error {
        let message = error.message
        switch error.primaryCode {
        case SQLITE_INTERRUPT:
            return guardian.error
        case SQLITE_BUSY, SQLITE_LOCKED:
            return UnreadableBytes(
                reason: "another program has locked the database", hint: "try again, or stop that program first")
        case SQLITE_READONLY:
            return UnreadableBytes(
                reason: "a change of it was interrupted (\(message))",
                hint: "open it once with the program that wrote it")
        case SQLITE_CANTOPEN, SQLITE_PERM:
            return UnreadableBytes(reason: "the database can't be opened (\(message))", hint: "check its permissions")
        case SQLITE_NOMEM, SQLITE_IOERR:
            return UnreadableBytes(reason: "the database can't be read (\(message))", hint: "check the disk")
        default:
            return UnreadableBytes.damaged(message)
        }
    }
}

extension UnreadableBytes {
    static let changed = UnreadableBytes(reason: "changed while it was read", hint: "run the same command again")

    /// - Parameter message: The damage, for people.
    static func damaged(_ message: String) -> UnreadableBytes {
        UnreadableBytes(
            reason: "the database is damaged (\(message))",
            hint: "save what is left: sqlite3 FILE .recover | sqlite3 NEW-FILE")
    }
}
