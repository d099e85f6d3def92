import GRDB
import GRDBSQLite

/// A statement that runs for every message. It is prepared once, and SQLite's own functions bind its values.
///
/// Finding a statement by its text, boxing its values and GRDB's own bookkeeping take up to a third of the time of the
/// insertion *(measured)*. No observer of GRDB sees it. Use it only on the connection's queue.
struct HotStatement {
    private let statement: Statement

    init(_ sql: String, _ db: Database) throws {
        statement = try db.makeStatement(sql: sql)
        // Prevents GRDB from changing the bindings from here on.
        statement.setUncheckedArguments([])
    }

    /// Runs the statement, which returns no rows.
    ///
    /// - Parameter bind: Binds every parameter. Bindings are cleared afterwards, because a body may have megabytes.
    func execute(_ bind: (Parameters) -> Void) throws {
        let prepared = statement.sqliteStatement
        bind(Parameters(statement: prepared))
        let code = sqlite3_step(prepared)
        defer { sqlite3_clear_bindings(prepared) }
        guard code != SQLITE_DONE else {
            sqlite3_reset(prepared)
            return
        }
        let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(prepared)))
        sqlite3_reset(prepared)
        throw DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(sqlite3_db_handle(prepared))), message: message,
            sql: statement.sql)
    }

    struct Parameters {
        fileprivate let statement: OpaquePointer

        func bind(_ index: Int32, _ value: Int64?) {
            if let value { sqlite3_bind_int64(statement, index, value) } else { sqlite3_bind_null(statement, index) }
        }

        func bind(_ index: Int32, _ value: String?) {
            guard var value else { return bind(index, Int64?.none) }
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
