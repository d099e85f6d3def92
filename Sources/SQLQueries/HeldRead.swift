import Archive
import Files
import SQLite
import Schema

/// A read transaction of an account's file that lasts as long as the value, with the statements that were prepared in it:
/// SQLite asks for the rows of a virtual table one at a time. Nothing else uses the connection meanwhile.
final class HeldRead {
    let path: String
    private let db: Database
    private let end: () -> Void
    /// The prepared statements that no scan uses, by their text.
    private var idle: [String: [Statement]] = [:]
    /// The number of scans that use the transaction.
    private(set) var uses = 0

    /// The size of a connection's page cache in KiB: a quarter of SQLite's, because hundreds may be open at once.
    private static let cacheSize = 512

    /// - Parameter end: Runs when the transaction has ended.
    /// - Throws: `DatabaseError`. Then `end` does not run.
    init(path: String, queue: DatabaseQueue, end: @escaping () -> Void) throws {
        let db = queue.sync { $0 }
        BridgeFunctions.register(on: db.handle)
        do {
            try db.execute(sql: Self.beginning)
        } catch {
            if db.isInsideTransaction { try? db.execute(sql: "COMMIT") }
            throw error
        }
        (self.path, self.db, self.end) = (path, db, end)
    }

    /// Sets up a connection, which may have been set up before, and begins the transaction.
    private static let beginning = """
        PRAGMA cache_size = -\(cacheSize);
        CREATE VIRTUAL TABLE IF NOT EXISTS temp.\(SQLView.vocabulary) USING fts5vocab(main, \(Schema.searchIndex), col);
        BEGIN DEFERRED;
        """

    deinit {
        ReadLimit.unwatch(db)
        idle = [:]
        // SQLite has ended the transaction after some errors.
        if db.isInsideTransaction { try? db.execute(sql: "COMMIT") }
        end()
    }

    /// Ends statements of the connection when the limit is over.
    func bound(by limit: ReadLimit) {
        limit.watch(db.handle)
    }

    /// Returns a statement for one scan, which gives it back with ``give(_:as:)``.
    ///
    /// - Throws: `DatabaseError`.
    func take(_ sql: String) throws -> Statement {
        let statement = try idle[sql]?.popLast() ?? db.makeStatement(sql: sql)
        uses += 1
        return statement
    }

    func give(_ statement: Statement, as sql: String) {
        uses -= 1
        statement.reset(clearsValues: true)
        idle[sql, default: []].append(statement)
    }
}
