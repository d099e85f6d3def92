import CSQLite

/// A connection that makes the SQLite database of another program, or reads one of ours.
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

    /// Returns the first column of each row.
    package func texts(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(message: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory")
        }
        var texts: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
        }
        return texts
    }

    /// Writes a database and closes it.
    package static func write(_ sql: String, to path: String) throws {
        _ = try SQLiteFixture(path, sql)
    }
}
