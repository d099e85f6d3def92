import CSQLite

/// SQLite's C API without any layer, as the comparison for the store.
final class BareConnection {
    /// The settings of an account's writer.
    static let settings = """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON; PRAGMA journal_size_limit = 67108864;
        """

    let handle: OpaquePointer
    private var statements: [OpaquePointer] = []

    init(path: String, readOnly: Bool = false) throws {
        var opened: OpaquePointer?
        let flags = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        guard sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK, let opened else {
            throw BenchmarkError("can't open \(path)")
        }
        handle = opened
    }

    deinit {
        for statement in statements { sqlite3_finalize(statement) }
        sqlite3_close(handle)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw BenchmarkError("\(sql): \(String(cString: sqlite3_errmsg(handle)))")
        }
    }

    func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw BenchmarkError("\(sql): \(String(cString: sqlite3_errmsg(handle)))") }
        statements.append(statement)
        return statement
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
