import CSQLite

/// A connection to a database, used by one thread at a time: ``DatabaseQueue`` sees to that.
package final class Database {
    /// SQLite's connection, for functions of SQLite that this type lacks.
    package let handle: OpaquePointer
    /// The statements that are prepared once, by their text.
    private var cached: [String: Statement] = [:]
    private var isClosed = false
    /// True while ``inTransaction(_:_:)`` runs a body.
    var runsTransaction = false
    private var hasTextTests = false

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: A file, which is created if it is missing; a URI (sqlite.org/uri.html); `:memory:`; or nothing, for a
    ///     temporary file.
    ///   - timeout: The longest wait for another connection's lock in milliseconds; 0 for none.
    package init(path: String, isReadOnly: Bool, timeout: Int32) throws(DatabaseError) {
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        // Each connection is used by one thread at a time, so SQLite's own locks would only take time.
        let flags = access | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let error = DatabaseError(of: opened)
            sqlite3_close(opened)
            throw error
        }
        handle = opened
        sqlite3_busy_timeout(handle, timeout)
        // A word in double quotes is a name, never a text.
        sqlite3_db_config_switch(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
        sqlite3_db_config_switch(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    }

    deinit {
        // Statements that somebody still has end with their last reference.
        if !isClosed { sqlite3_close_v2(handle) }
    }

    /// - Throws: `SQLITE_BUSY` if somebody still has a statement; the connection stays open.
    func close() throws(DatabaseError) {
        guard !isClosed else { return }
        cached = [:]
        guard sqlite3_close(handle) == SQLITE_OK else { throw DatabaseError(of: handle) }
        isClosed = true
    }

    /// Adds the function of ``TextTest``, unless the connection has it.
    package func addTextTests() {
        if !hasTextTests { TextTest.addFunction(to: handle) }
        hasTextTests = true
    }

    /// Returns the connection's statement of that text, which is prepared once; while that one runs, another.
    package func cachedStatement(sql: String) throws(DatabaseError) -> Statement {
        if let statement = cached[sql] { return statement.isBusy ? try Statement(sql, handle) : statement }
        let statement = try Statement(sql, handle, isPersistent: true)
        cached[sql] = statement
        return statement
    }

    /// Prepares a statement.
    ///
    /// - Parameter keepsValues: True for a statement that runs for every message: its parameters keep their values between
    ///   executions, so that SQLite copies less.
    package func makeStatement(sql: String, keepsValues: Bool = false) throws(DatabaseError) -> Statement {
        try Statement(sql, handle, keepsValues: keepsValues)
    }

    /// Runs one or more statements, each with as many of the arguments as it has parameters.
    package func execute(sql: String, arguments: StatementArguments = []) throws {
        var left = arguments
        try sql.withCString { start in
            var rest: UnsafePointer<CChar>? = start
            while let text = rest, text.pointee != 0 {
                var prepared: OpaquePointer?
                let code = sqlite3_prepare_v2(handle, text, -1, &prepared, &rest)
                guard code == SQLITE_OK else { throw DatabaseError(of: handle, sql: String(cString: text)) }
                // White space and comments make no statement.
                guard let statement = prepared.map(Statement.init) else { continue }
                try statement.execute(arguments: left.take(statement.parameterCount))
            }
        }
        guard left.values.isEmpty else {
            throw DatabaseError(code: SQLITE_MISUSE, message: "there are more values than parameters", sql: sql)
        }
    }

    /// Returns what `read` returns for each row of a statement that runs once.
    package func allRows<T>(sql: String, arguments: StatementArguments = [], _ read: (Row) throws -> T) throws -> [T] {
        try makeStatement(sql: sql).allRows(arguments: arguments, read)
    }

    /// The number of rows that the last statement inserted, changed or deleted.
    package var changesCount: Int { Int(sqlite3_changes(handle)) }

    /// The number of rows that all statements and their triggers inserted, changed or deleted.
    package var totalChangesCount: Int { Int(sqlite3_total_changes(handle)) }

    /// The rowid of the last row that was inserted; 0 if none was.
    package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }
}
