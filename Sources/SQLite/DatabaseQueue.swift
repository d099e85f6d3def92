import Dispatch

/// A connection for several threads, which use it one after the other.
package final class DatabaseQueue: @unchecked Sendable {
    // @unchecked: `db` is used only on `queue`, which runs one closure at a time.
    private let db: Database
    private let queue = DispatchQueue(label: "a database")

    /// Opens a database as ``Database/init(path:isReadOnly:timeout:)`` does.
    ///
    /// - Parameter prepare: Sets the connection up before anything is read.
    /// - Throws: ``DatabaseError``; `SQLITE_NOTADB` if the file is not a database.
    package init(
        path: String = ":memory:", isReadOnly: Bool = false, timeout: Int32 = 0,
        prepare: (Database) throws -> Void = { _ in }
    ) throws {
        db = try Database(path: path, isReadOnly: isReadOnly, timeout: timeout)
        if !isReadOnly { try db.execute(sql: "PRAGMA foreign_keys = ON") }
        try prepare(db)
        try db.execute(sql: "SELECT 1 FROM sqlite_schema LIMIT 1")
    }

    /// Runs the body with the connection, after what already waits for it. Not inside another one's body.
    package func sync<T>(_ body: (Database) throws -> T) rethrows -> T { try queue.sync { try body(db) } }

    /// Runs the body in a read transaction.
    package func read<T>(_ body: (Database) throws -> T) throws -> T {
        try sync { db in try db.inTransaction(.deferred) { try body(db) } }
    }

    /// Runs the body in a write transaction.
    package func write<T>(_ body: (Database) throws -> T) throws -> T {
        try sync { db in try db.inTransaction(.immediate) { try body(db) } }
    }

    /// Runs the body on the queue's own thread, after what already waits for the connection, because SQLite may wait for
    /// a slow disk for seconds and Swift's shared threads must not.
    ///
    /// Cancelling the calling task does not cancel the body, so that received events are committed while the listener
    /// stops.
    package func run<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body(self.db) }) }
        }
    }

    /// Closes the connection, which nobody may use afterwards.
    ///
    /// - Throws: `SQLITE_BUSY` if somebody still has a statement; the connection stays open.
    package func close() throws { try sync { try $0.close() } }
}
