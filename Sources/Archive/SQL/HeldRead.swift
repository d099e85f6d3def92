import GRDB
import GRDBSQLite

/// A read transaction of an account's file that lasts as long as the value, with the statements that were prepared in it.
///
/// GRDB runs a transaction within one call, but SQLite asks for the rows of a virtual table one at a time. So this runs
/// SQLite's functions on GRDB's connection, which nothing else uses meanwhile.
final class HeldRead {
    let path: String
    private let queue: DatabaseQueue
    private let handle: OpaquePointer
    private let end: () -> Void
    /// The prepared statements that no scan uses, by their text.
    private var idle: [String: [OpaquePointer]] = [:]
    /// The number of scans that use the transaction.
    private(set) var uses = 0

    /// The size of a connection's page cache in KiB: a quarter of SQLite's, because hundreds may be open at once.
    private static let cacheSize = 512

    /// - Parameter end: Runs when the transaction has ended.
    /// - Throws: `DatabaseError`. Then `end` does not run.
    init(path: String, queue: DatabaseQueue, end: @escaping () -> Void) throws {
        guard let handle = queue.writeWithoutTransaction({ $0.sqliteConnection }) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE)
        }
        BridgeFunctions.add(to: handle)
        guard sqlite3_exec(handle, Self.beginning, nil, nil, nil) == SQLITE_OK else {
            let error = Self.error(of: handle, sql: Self.beginning)
            if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "COMMIT", nil, nil, nil) }
            throw error
        }
        (self.path, self.queue, self.handle, self.end) = (path, queue, handle, end)
    }

    /// Sets up a connection, which may have been set up before, and begins the transaction.
    private static let beginning = """
        PRAGMA cache_size = -\(cacheSize);
        CREATE VIRTUAL TABLE IF NOT EXISTS temp.\(SQLView.vocabulary) USING fts5vocab(main, \(SearchIndex.name), col);
        BEGIN DEFERRED;
        """

    deinit {
        sqlite3_progress_handler(handle, 0, nil, nil)
        for statement in idle.values.joined() { sqlite3_finalize(statement) }
        // SQLite has ended the transaction after some errors.
        if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "COMMIT", nil, nil, nil) }
        end()
    }

    /// Ends statements of the connection when the limit is over.
    func bound(by limit: ReadLimit) {
        limit.watch(handle)
    }

    /// Returns a statement for one scan, which gives it back with ``give(_:as:)``.
    ///
    /// - Throws: `DatabaseError`.
    func take(_ sql: String) throws -> OpaquePointer {
        uses += 1
        if let statement = idle[sql]?.popLast() { return statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else {
            uses -= 1
            throw Self.error(of: handle, sql: sql)
        }
        return statement
    }

    func give(_ statement: OpaquePointer, as sql: String) {
        uses -= 1
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
        idle[sql, default: []].append(statement)
    }

    /// Returns the error of the last call on the connection.
    func error(sql: String) -> DatabaseError { Self.error(of: handle, sql: sql) }

    private static func error(of handle: OpaquePointer, sql: String) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(handle)),
            message: String(cString: sqlite3_errmsg(handle)), sql: sql)
    }
}
