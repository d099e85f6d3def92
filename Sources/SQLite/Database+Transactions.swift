import CSQLite

/// When a transaction takes its locks (sqlite.org/lang_transaction.html).
package enum TransactionKind: String {
    case deferred = "BEGIN DEFERRED"
    case immediate = "BEGIN IMMEDIATE"
}

extension Database {
    package var isInsideTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs the body in a transaction, and returns its value. An error of the body or of the commit rolls the transaction
    /// back.
    ///
    /// - Throws: `SQLITE_ABORT` if the body goes on after an error that ended the transaction, such as a full disk.
    package func inTransaction<T>(_ kind: TransactionKind = .deferred, _ body: () throws -> T) throws -> T {
        try cachedStatement(sql: kind.rawValue).execute()
        runsTransaction = true
        defer { runsTransaction = false }
        return try finish(body, commit: "COMMIT", rollback: "ROLLBACK")
    }

    /// Runs the body in a savepoint of the transaction, or in a transaction if there is none, and returns its value. An
    /// error rolls the savepoint back.
    package func inSavepoint<T>(_ body: () throws -> T) throws -> T {
        guard runsTransaction || isInsideTransaction else { return try inTransaction(.deferred, body) }
        try requireTransaction()
        try cachedStatement(sql: "SAVEPOINT own").execute()
        return try finish(body, commit: "RELEASE own", rollback: "ROLLBACK TO own; RELEASE own")
    }

    private func finish<T>(_ body: () throws -> T, commit: String, rollback: String) throws -> T {
        do {
            let result = try body()
            try requireTransaction()
            try cachedStatement(sql: commit).execute()
            return result
        } catch {
            // SQLite has ended the transaction itself after some errors.
            if isInsideTransaction { try? execute(sql: rollback) }
            throw error
        }
    }

    /// Without a transaction, each further statement would be committed by itself.
    private func requireTransaction() throws {
        guard isInsideTransaction else {
            throw DatabaseError(code: SQLITE_ABORT, message: "an error has ended the transaction")
        }
    }

    /// Copies the main database into that of another connection, in steps. The source may change meanwhile.
    ///
    /// - Parameter progress: Receives the pages that are left, and all pages, after each step.
    package func backup(
        to target: Database, pagesPerStep: Int32, _ progress: (_ left: Int, _ all: Int) throws -> Void
    ) throws {
        guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw DatabaseError(of: target.handle)
        }
        // Reports only the errors of steps, which are thrown below.
        defer { sqlite3_backup_finish(backup) }
        var code = SQLITE_OK
        while code != SQLITE_DONE {
            code = sqlite3_backup_step(backup, pagesPerStep)
            guard [SQLITE_OK, SQLITE_DONE].contains(code) else { throw DatabaseError(code: code) }
            try progress(Int(sqlite3_backup_remaining(backup)), Int(sqlite3_backup_pagecount(backup)))
        }
    }
}
