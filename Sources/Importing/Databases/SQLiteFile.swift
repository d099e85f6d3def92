import Foundation
import GRDBSQLite
import Rendering

/// A read-only connection to the SQLite file of another program. Writes nothing to the file or beside it.
final class SQLiteFile {
    /// The first bytes of every SQLite file (sqlite.org/fileformat2.html §1.3).
    static let magic = Array("SQLite format 3\0".utf8)

    /// 2 MiB: twice the longest message object of any format. It bounds the memory of a value, also of a hostile file.
    static let maximumValue = 2 * 1024 * 1024

    let path: String
    /// The size and the time of change of a file that is read without locks; nil for a file that SQLite locks.
    private var unlocked: stat?
    private var handle: OpaquePointer?

    /// - Throws: ``UnreadableBytes`` if the file or its write-ahead log can't be read.
    init(path: String) throws(UnreadableBytes) {
        // SQLite names the files beside the database after its real path.
        let real = realpath(path, nil)
        defer { free(real) }
        self.path = real.map { String(cString: $0) } ?? path
        let options = try Self.options(self.path)
        if options == Self.immutable { unlocked = try Self.status(self.path) }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        try check(sqlite3_open_v2(Self.uri(self.path, options), &handle, flags, nil))
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(Self.maximumValue))
        sqlite3_busy_timeout(handle, Self.timeout)
        // An index that SQLite makes for one query would take memory or a file of the table's size.
        try execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA automatic_index = OFF")
    }

    deinit {
        sqlite3_close(handle)
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

    /// Returns the header's bytes up to the format versions for writing and reading, which are 2 in WAL mode.
    private static func header(_ path: String) throws(UnreadableBytes) -> [UInt8] {
        try bytes(of: path, count: 20)
    }

    /// Returns the first bytes of a file, fewer if the file ends.
    static func bytes(of path: String, count: Int) throws(UnreadableBytes) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw UnreadableBytes(errno: errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &bytes, count, 0)
        guard read >= 0 else { throw UnreadableBytes(errno: errno) }
        return Array(bytes.prefix(read))
    }

    /// Returns true for a file that SQLite keeps beside a database: `x.sqlite-wal`, `x.sqlite-shm`, `x.sqlite-journal`.
    static func isBesideDatabase(_ path: String) -> Bool {
        ["-wal", "-shm", "-journal"].contains { ending in
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
        let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        return "file:\(escaped)?\(options)"
    }

    // MARK: - Reading

    /// - Throws: ``UnreadableBytes`` if a file that is read without locks has changed since it was opened.
    func checkUnchanged() throws(UnreadableBytes) {
        guard let before = unlocked else { return }
        let now = try Self.status(path)
        guard now.st_size == before.st_size, now.st_mtim.tv_sec == before.st_mtim.tv_sec,
            now.st_mtim.tv_nsec == before.st_mtim.tv_nsec
        else { throw UnreadableBytes(reason: "changed while it was read", hint: "run the same command again") }
    }

    private func execute(_ sql: String) throws(UnreadableBytes) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    func prepare(_ sql: String) throws(UnreadableBytes) -> SQLiteRows {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        return SQLiteRows(statement, of: self)
    }

    /// Returns the texts of a query's rows; nil for a null.
    func texts(_ sql: String, _ arguments: [String] = []) throws(UnreadableBytes) -> [[String?]] {
        let rows = try prepare(sql)
        for (index, argument) in arguments.enumerated() { rows.bind(argument, at: Int32(index + 1)) }
        var texts: [[String?]] = []
        while true {
            switch try rows.step() {
            case .row:
                texts.append((0..<rows.count).map { rows.bytes(at: $0).map { String(decoding: $0, as: UTF8.self) } })
            case .done: return texts
            case .tooLong: try check(SQLITE_TOOBIG)
            }
        }
    }

    /// - Throws: ``UnreadableBytes`` for an error of SQLite.
    func check(_ code: Int32) throws(UnreadableBytes) {
        guard code != SQLITE_OK, code != SQLITE_ROW, code != SQLITE_DONE else { return }
        let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED:
            throw UnreadableBytes(
                reason: "another program has locked the database", hint: "try again, or stop that program first")
        case SQLITE_READONLY:
            throw UnreadableBytes(
                reason: "a change of it was interrupted (\(message))",
                hint: "open it once with the program that wrote it")
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
            throw UnreadableBytes(reason: "the database can't be opened (\(message))", hint: "check its permissions")
        case SQLITE_NOMEM, SQLITE_IOERR:
            throw UnreadableBytes(reason: "the database can't be read (\(message))", hint: "check the disk")
        default:
            throw UnreadableBytes(
                reason: "the database is damaged (\(message))",
                hint: "save what is left: sqlite3 FILE .recover | sqlite3 NEW-FILE")
        }
    }
}

/// The rows of a query.
final class SQLiteRows {
    enum Step {
        case row, done
        /// A value of the next row is longer than ``SQLiteFile/maximumValue``.
        case tooLong
    }

    private let statement: OpaquePointer?
    private let file: SQLiteFile

    init(_ statement: OpaquePointer?, of file: SQLiteFile) {
        (self.statement, self.file) = (statement, file)
    }

    deinit {
        sqlite3_finalize(statement)
    }

    /// The number of columns.
    var count: Int { Int(sqlite3_column_count(statement)) }

    func name(at column: Int) -> String {
        sqlite3_column_name(statement, Int32(column)).map { String(cString: $0) } ?? ""
    }

    /// Begins the query again, and releases the file's lock.
    func reset() {
        sqlite3_reset(statement)
    }

    func bind(_ number: Int64, at index: Int32) {
        sqlite3_bind_int64(statement, index, number)
    }

    func bind(_ text: String, at index: Int32) {
        // SQLITE_TRANSIENT: SQLite copies the text.
        sqlite3_bind_text(statement, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }

    /// - Throws: ``UnreadableBytes``
    func step() throws(UnreadableBytes) -> Step {
        let code = sqlite3_step(statement)
        switch code {
        case SQLITE_ROW: return .row
        case SQLITE_DONE: return .done
        case SQLITE_TOOBIG: return .tooLong
        default:
            try file.check(code)
            return .done
        }
    }

    func integer(at column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

    /// Returns the bytes of a text, which may be invalid UTF-8 in a damaged file; nil for a null.
    func bytes(at column: Int) -> UnsafeBufferPointer<UInt8>? {
        guard let text = sqlite3_column_text(statement, Int32(column)) else { return nil }
        return UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, Int32(column))))
    }
}
