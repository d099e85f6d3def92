import GRDB
import GRDBSQLite

/// A statement that runs for every message or for a reader. SQLite's own functions bind its values and read its rows.
///
/// Boxing the values, making a row and GRDB's own bookkeeping take up to a third of the time of an insertion, and most
/// of the time of finding a row *(measured)*. No observer of GRDB sees it. Use it only on the connection's queue. While a
/// cached one is kept, GRDB must not run a statement of its text.
struct HotStatement {
    private let statement: Statement
    /// Nil for a statement whose values are cleared after each execution.
    private let kept: KeptValues?

    /// The values of the last execution. SQLite reads short texts in the buffer: a copy of its own for each takes 2% of the
    /// time of storing a message *(measured)*.
    private final class KeptValues {
        static let capacity = UInt64.bitWidth

        /// The parameters that have a value, a bit for each from the lowest on.
        var parameters: UInt64 = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)

        deinit { buffer.deallocate() }
    }

    /// Prepares a statement of its own.
    init(_ sql: String, _ db: Database) throws {
        statement = try db.makeStatement(sql: sql)
        let count = sqlite3_bind_parameter_count(statement.sqliteStatement)
        kept = count <= KeptValues.capacity ? KeptValues() : nil
    }

    /// Takes the connection's statement of that text, which is prepared once. While that one runs, prepares another.
    init(cached sql: String, _ db: Database) throws {
        let cached = try db.cachedStatement(sql: sql)
        statement = sqlite3_stmt_busy(cached.sqliteStatement) == 0 ? cached : try db.makeStatement(sql: sql)
        kept = nil
        // GRDB may have left it at its end, where SQLite binds nothing, and with values.
        sqlite3_reset(statement.sqliteStatement)
        sqlite3_clear_bindings(statement.sqliteStatement)
    }

    /// Runs the statement.
    ///
    /// - Parameter bind: Binds each parameter once at most; one without a value is NULL. SQLite does not keep its copies of
    ///   values afterwards, because a body may have megabytes.
    func execute(_ bind: (inout Parameters) -> Void) throws {
        try forEach(bind) { _ in }
    }

    /// Runs the statement, and calls `body` with each row.
    func forEach(_ bind: (inout Parameters) -> Void, _ body: (Columns) throws -> Void) throws {
        _ = try first(bind) { row -> Never? in
            try body(row)
            return nil
        }
    }

    /// Runs the statement until `read` returns a value for a row, and returns that value; nil if it returns none.
    func first<T>(_ bind: (inout Parameters) -> Void, _ read: (Columns) throws -> T?) throws -> T? {
        let prepared = statement.sqliteStatement
        var parameters = Parameters(prepared, kept?.buffer)
        bind(&parameters)
        if let kept { parameters.unbind(kept.parameters) }
        defer {
            sqlite3_reset(prepared)
            if let kept, !parameters.hasCopies {
                kept.parameters = parameters.bound
            } else {
                sqlite3_clear_bindings(prepared)
                kept?.parameters = 0
            }
        }
        let row = Columns(statement)
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW: if let value = try read(row) { return value }
            case SQLITE_DONE: return nil
            default: throw failure
            }
        }
    }

    /// The number of rows that the last execution inserted, changed or deleted.
    var changesCount: Int32 { sqlite3_changes(sqlite3_db_handle(statement.sqliteStatement)) }

    /// The error of the last step.
    private var failure: DatabaseError {
        let connection = sqlite3_db_handle(statement.sqliteStatement)
        return DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)), sql: statement.sql)
    }

    struct Parameters {
        fileprivate let statement: OpaquePointer
        /// The parameters that are bound, a bit for each, as in ``KeptValues``.
        fileprivate private(set) var bound: UInt64 = 0
        /// True if SQLite has copies of values.
        fileprivate private(set) var hasCopies = false
        /// The rest of the statement's buffer, and its length in bytes.
        private var room: UnsafeMutableRawPointer?
        private var left: Int

        fileprivate init(_ statement: OpaquePointer, _ buffer: UnsafeMutableRawBufferPointer?) {
            (self.statement, room, left) = (statement, buffer?.baseAddress, buffer?.count ?? 0)
        }

        var count: Int { Int(sqlite3_bind_parameter_count(statement)) }

        mutating func bind(_ index: Int32, _ value: Int64?) {
            guard let value else { return }
            sqlite3_bind_int64(statement, index, value)
            note(index)
        }

        mutating func bind(_ index: Int32, blob bytes: [UInt8]) {
            bytes.withUnsafeBytes { bytes in
                // An empty buffer may have no address, and that would bind NULL.
                _ = sqlite3_bind_blob64(
                    statement, index, bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1), UInt64(bytes.count),
                    Self.copied)
            }
            hasCopies = true
            note(index)
        }

        mutating func bind(_ index: Int32, _ value: String?) {
            guard let value else { return }
            // `withUTF8` would need a copy of the string.
            let bound: Void? = value.utf8.withContiguousStorageIfAvailable { bind(index, utf8: $0) }
            if bound == nil { Array(value.utf8).withUnsafeBufferPointer { bind(index, utf8: $0) } }
        }

        private mutating func bind(_ index: Int32, utf8 bytes: UnsafeBufferPointer<UInt8>) {
            let kept = keep(bytes)
            let text = kept ?? bytes.baseAddress.map { UnsafeRawPointer($0) } ?? UnsafeRawPointer(bitPattern: 1)
            sqlite3_bind_text64(
                statement, index, text?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
                kept == nil ? Self.copied : nil, UInt8(SQLITE_UTF8))
            if kept == nil { hasCopies = true }
            note(index)
        }

        /// Copies the bytes to the buffer. Returns their place; nil if they are longer than the rest of the buffer.
        private mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeRawPointer? {
            guard let place = room, bytes.count <= left else { return nil }
            if let start = bytes.baseAddress { place.copyMemory(from: start, byteCount: bytes.count) }
            (room, left) = (place + bytes.count, left - bytes.count)
            return UnsafeRawPointer(place)
        }

        /// Sets those of the parameters to NULL that are not bound.
        fileprivate func unbind(_ parameters: UInt64) {
            var left = parameters & ~bound
            while left != 0 {
                sqlite3_bind_null(statement, Int32(left.trailingZeroBitCount) + 1)
                left &= left - 1
            }
        }

        private mutating func note(_ index: Int32) { bound |= 1 << UInt64(index - 1) }

        /// `SQLITE_TRANSIENT`, a macro that Swift can't read: SQLite copies the value.
        private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
    }
}
