package import Accounts
import CSQLite
import ChatModel
import Files
import Glibc
import Records
package import SQLite
import Schema

/// An account's writing connection and the state that its writer keeps between batches, on a separate queue.
package final class WriterConnection: @unchecked Sendable {
    // @unchecked: `ingest` is touched only by closures on `queue`, which runs one at a time.
    private let queue: DatabaseQueue
    private let path: String
    private let file: FileIdentity
    /// Nil after a rollback, because its state may not match the file.
    package var ingest: Ingest?
    /// True once the connection has the settings for large transactions.
    package var isBulk = false

    /// - Throws: `SQLITE_CANTOPEN` if the file is missing. Does not create the file.
    init(path: String) throws {
        self.path = path
        file = try FileIdentity(path)
        queue = try SQLiteConnection.writing(path: path)
    }

    /// Stores a batch in one transaction. If the store refuses an event, a second transaction stores the others and
    /// records such events in `failure`.
    ///
    /// - Parameter unconfirmed: The unconfirmed commit of an earlier attempt at the batch.
    /// - Throws: ``UnconfirmedCommit`` if the batch may be stored in spite of the error.
    func commit(_ batch: [ChatEvent], unless unconfirmed: UnconfirmedCommit?) async throws -> [EventOutcome] {
        try await run { db in
            try self.requireSameFile()
            let start = try StoreEnd(db)
            if let unconfirmed, start == unconfirmed.end {
                // The batch may be only in a write-ahead log that is not on disk; the checkpoint writes it to the file
                // itself.
                try db.execute(sql: "PRAGMA wal_checkpoint(FULL)")
                return unconfirmed.outcomes
            }
            let events = EventBatch(batch)
            do {
                return try self.commit(from: start, db) { try events.apply(to: &$0, db) }
            } catch let error as DatabaseError where !error.isStorageError {
                return try self.commit(from: start, db) { try events.applyOneByOne(to: &$0, db) }
            }
        }
    }

    private func commit(
        from start: StoreEnd, _ db: Database, _ apply: (inout Ingest) throws -> [EventOutcome]
    ) throws -> [EventOutcome] {
        var applied: (outcomes: [EventOutcome], end: StoreEnd)?
        do {
            return try transaction(db) { ingest in
                let outcomes = try apply(&ingest)
                applied = (outcomes, try StoreEnd(db))
                return outcomes
            }
        } catch let error as DatabaseError {
            // A batch that added no such rows can be repeated without duplicates.
            guard let applied, applied.end != start else { throw error }
            throw UnconfirmedCommit(outcomes: applied.outcomes, end: applied.end, cause: error)
        }
    }

    /// Runs the body in one transaction, for writes other than events.
    func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await run { db in
            try self.requireSameFile()
            return try db.inTransaction(.immediate) { try body(db) }
        }
    }

    /// Replaces names of the account's own person, unless they are the same.
    func setOwnNames(_ names: [String], from source: OwnNameSource) async throws {
        try await run { db in
            try self.requireSameFile()
            try self.transaction(db) { ingest in
                if try OwnNames.set(names, from: source, db) { ingest.directory.names = NameBook() }
            }
        }
    }

    /// Runs the body in a transaction that changes names which the state between batches remembers.
    package func writeNames<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await run { db in
            try self.requireSameFile()
            self.ingest = nil
            return try db.inTransaction(.immediate) { try body(db) }
        }
    }

    /// Brings the file and the catalog to the same memory of what rules removed.
    package func sharePurges(of account: String, with catalog: Catalog, _ db: Database) throws {
        let hasChanged = try db.inTransaction(.immediate) { try catalog.sharePurges(of: account, db) }
        if hasChanged { ingest = nil }
    }

    /// Runs the body on the calling thread, which waits for the connection's earlier work.
    func sync<T>(_ body: (Database) throws -> T) rethrows -> T { try queue.sync(body) }

    package func run<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await queue.run(body)
    }

    func close() throws {
        // Releases the statements first, because SQLite does not close a connection that has any.
        queue.sync { _ in ingest = nil }
        try queue.close()
    }

    package func requireSameFile() throws {
        guard try FileIdentity(path) == file else {
            throw DatabaseError(code: SQLITE_CANTOPEN, message: "another file replaced it")
        }
    }

    package func transaction<T>(_ db: Database, _ body: (inout Ingest) throws -> T) throws -> T {
        do {
            return try transaction(db, hasSavepoints: false, body)
        } catch is DamagedIndexError {
            return try transaction(db, hasSavepoints: true, body)
        }
    }

    private func transaction<T>(
        _ db: Database, hasSavepoints: Bool, _ body: (inout Ingest) throws -> T
    ) throws -> T {
        // Moved out, not copied: a copy would double its tables with the first change.
        var current = try ingest ?? Ingest(db)
        ingest = nil
        current.texts.index.hasSavepoints = hasSavepoints
        let result = try db.inTransaction(.immediate) { try body(&current) }
        ingest = current
        return result
    }
}

/// A commit that the disk did not confirm. SQLite rolls it back, but if the disk keeps failing, the commit may be found
/// complete when the file is opened again.
struct UnconfirmedCommit: Error {
    let outcomes: [EventOutcome]
    let end: StoreEnd
    let cause: DatabaseError
}

/// The last rows of the append-only tables `change` and `session`, which a repeated batch would duplicate. A commit
/// that adds rows to neither leaves an equal value. Changes of files don't count: they may be repeated, and are also
/// written by the task that fetches files, between two attempts at a batch.
package struct StoreEnd: Equatable, Sendable {
    private let lastChange: Int64?
    private let lastSession: Int64?

    package init(_ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT (SELECT seq FROM change WHERE what <> \(Feed.fileCode) ORDER BY seq DESC LIMIT 1),
                  (SELECT max(id) FROM session)
                """)
        let row: (Int64?, Int64?)? = try statement.first { try ($0.value(0), $0.value(1)) }
        (lastChange, lastSession) = row ?? (nil, nil)
    }
}

/// Distinguishes a file from another one with the same name. SQLite goes on writing to a deleted file, and those
/// commits are lost.
///
/// Uses only `stat`: opening and closing the file would drop SQLite's locks.
private struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    init(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw DatabaseError(code: SQLITE_CANTOPEN, message: String(cString: strerror(errno)))
        }
        (device, inode) = (status.st_dev, status.st_ino)
    }
}
