import GRDBSQLite

/// A connection that makes the SQLite database of another program.
package final class SQLiteFixture {
    package struct Failure: Error {
        package let message: String
    }

    private var handle: OpaquePointer?

    package init(_ path: String, _ sql: String = "") throws {
        let code = sqlite3_open(path, &handle)
        guard code == SQLITE_OK else { throw Failure(message: "SQLite error \(code)") }
        try execute(sql)
    }

    deinit {
        sqlite3_close(handle)
    }

    package func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) != SQLITE_OK else { return }
        throw Failure(message: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory")
    }

    /// Writes a database and closes it.
    package static func write(_ sql: String, to path: String) throws {
        _ = try SQLiteFixture(path, sql)
    }
}
