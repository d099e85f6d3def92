import GRDB
import GRDBSQLite

/// A statement that runs once a message: prepared once, its values bound by SQLite's own functions.
///
/// Looking a statement up by its text and boxing its values costs as much as a third of the insertion *(measured)*.
/// Running it, with what GRDB observes of it and its errors, stays GRDB's. To be used on the connection's queue alone.
struct HotStatement {
    private let statement: Statement

    init(_ sql: String, _ db: Database) throws {
        statement = try db.makeStatement(sql: sql)
        // From here on GRDB leaves the bindings alone.
        statement.setUncheckedArguments([])
    }

    /// - Parameter bind: Binds every parameter. None is kept: a body may have megabytes.
    func execute(_ bind: (Parameters) -> Void) throws {
        sqlite3_reset(statement.sqliteStatement)
        defer { sqlite3_clear_bindings(statement.sqliteStatement) }
        bind(Parameters(statement: statement.sqliteStatement))
        do {
            try statement.execute()
        } catch {
            sqlite3_reset(statement.sqliteStatement)
            throw error
        }
    }

    struct Parameters {
        fileprivate let statement: OpaquePointer

        func bind(_ index: Int32, _ value: Int64?) {
            if let value { sqlite3_bind_int64(statement, index, value) } else { sqlite3_bind_null(statement, index) }
        }

        func bind(_ index: Int32, _ value: String?) {
            guard var value else { return bind(index, Int64?.none) }
            // SQLITE_TRANSIENT, a macro that Swift does not see: SQLite takes a copy.
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
