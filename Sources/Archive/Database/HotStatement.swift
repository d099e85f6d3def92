import GRDB
import GRDBSQLite

/// A statement that runs for every message or for a reader. SQLite's own functions bind its values and read its rows.
///
/// Boxing the values, making a row and GRDB's own bookkeeping take up to a third of the time of an insertion, and most
/// of the time of finding a row *(measured)*. No observer of GRDB sees it. Use it only on the connection's queue. While a
/// cached one is kept, GRDB must not run a statement of its text.
struct HotStatement {
    private let statement: Statement

    /// Prepares a statement of its own.
    init(_ sql: String, _ db: Database) throws { statement = try db.makeStatement(sql: sql) }

    /// Takes the connection's statement of that text, which is prepared once. While that one runs, prepares another.
    init(cached sql: String, _ db: Database) throws {
        let cached = try db.cachedStatement(sql: sql)
        statement = sqlite3_stmt_busy(cached.sqliteStatement) == 0 ? cached : try db.makeStatement(sql: sql)
        // GRDB may have left it at its end, where SQLite binds nothing, and with values.
        sqlite3_reset(statement.sqliteStatement)
        sqlite3_clear_bindings(statement.sqliteStatement)
    }

    /// Runs the statement.
    ///
    /// - Parameter bind: Binds each parameter once at most; one without a value is NULL. Bindings are cleared afterwards,
    ///   because a body may have megabytes.
    func execute(_ bind: (Parameters) -> Void) throws {
        try forEach(bind) { _ in }
    }

    /// Runs the statement, and calls `body` with each row.
    func forEach(_ bind: (Parameters) -> Void, _ body: (Columns) throws -> Void) throws {
        _ = try first(bind) { row -> Never? in
            try body(row)
            return nil
        }
    }

    /// Runs the statement until `read` returns a value for a row, and returns that value; nil if it returns none.
    func first<T>(_ bind: (Parameters) -> Void, _ read: (Columns) throws -> T?) throws -> T? {
        let prepared = statement.sqliteStatement
        defer {
            sqlite3_reset(prepared)
            sqlite3_clear_bindings(prepared)
        }
        bind(Parameters(statement: prepared))
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

        var count: Int { Int(sqlite3_bind_parameter_count(statement)) }

        func bind(_ index: Int32, _ value: Int64?) {
            if let value { sqlite3_bind_int64(statement, index, value) }
        }

        func bind(_ index: Int32, blob bytes: [UInt8]) {
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            bytes.withUnsafeBytes { bytes in
                _ = sqlite3_bind_blob64(
                    statement, index, bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1), UInt64(bytes.count),
                    transient)
            }
        }

        func bind(_ index: Int32, _ value: String?) {
            guard var value else { return }
            // SQLITE_TRANSIENT, a macro that Swift can't read, makes SQLite copy the text.
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            value.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { text in
                    // An empty buffer may have no address, and that would bind NULL.
                    _ = sqlite3_bind_text64(
                        statement, index, text.baseAddress ?? UnsafePointer(bitPattern: 1), UInt64(text.count),
                        transient,
                        UInt8(SQLITE_UTF8))
                }
            }
        }
    }
}
