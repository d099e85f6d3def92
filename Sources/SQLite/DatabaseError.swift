import CSQLite

/// An error of SQLite.
package struct DatabaseError: Error, CustomStringConvertible, Sendable {
    /// SQLite's extended result code, such as `SQLITE_IOERR_FSYNC` (sqlite.org/rescode.html).
    package let code: Int32
    /// SQLite's words, or those of the code.
    package let message: String
    /// The statement that failed, as far as one is known. It has no values.
    package let sql: String?

    package init(code: Int32, message: String? = nil, sql: String? = nil) {
        self.code = code
        self.message = message ?? sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown error"
        self.sql = sql
    }

    /// The last error of a connection. No connection stands for a lack of memory.
    init(of connection: OpaquePointer?, sql: String? = nil) {
        self.init(
            code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }

    /// The code without what extends it, such as `SQLITE_IOERR`.
    package var primaryCode: Int32 { code & 0xFF }

    package var description: String { "SQLite error \(code): \(message)" }
}
