import ChatModel
import Foundation
import GRDB

/// An account's writing connection with what its writer remembers, on a queue of their own.
final class WriterConnection: @unchecked Sendable {
    // @unchecked: `ingest` is touched only by closures on `queue`, which runs one at a time.
    private let queue: DatabaseQueue
    private let path: String
    private let file: FileIdentity
    /// Nil after a rollback: what it remembered may not be true.
    private var ingest: Ingest?

    /// - Throws: `SQLITE_CANTOPEN` when there is no file: one that is gone is not made anew.
    init(path: String) throws {
        self.path = path
        file = try FileIdentity(path)
        queue = try Connection.writing(path: path)
    }

    /// One transaction; when an event is refused for what it is, a second one that leaves such events to `failure`.
    ///
    /// - Parameter unconfirmed: What became of the batch when it was tried before.
    /// - Throws: ``UnconfirmedCommit`` when it may be there all the same.
    func commit(_ batch: [ChatEvent], unless unconfirmed: UnconfirmedCommit?) async throws -> [EventOutcome] {
        try await run { db in
            try self.requireSameFile()
            let start = try StoreEnd(db)
            if let unconfirmed, start == unconfirmed.end {
                // It was read from the log, of which nobody knows what is on the disk: the file itself has it from here on.
                try db.execute(sql: "PRAGMA wal_checkpoint(FULL)")
                return unconfirmed.outcomes
            }
            do {
                return try self.commit(batch, from: start, db) { ingest in try ingest.apply(batch, db) }
            } catch let error as DatabaseError where !error.isTroubleOfTheStore {
                return try self.commit(batch, from: start, db) { ingest in try ingest.applyOneByOne(batch, db) }
            }
        }
    }

    private func commit(
        _ batch: [ChatEvent], from start: StoreEnd, _ db: Database, _ apply: (inout Ingest) throws -> [EventOutcome]
    ) throws -> [EventOutcome] {
        var applied: (outcomes: [EventOutcome], end: StoreEnd)?
        do {
            return try transaction(db) { ingest in
                let outcomes = try apply(&ingest)
                applied = (outcomes, try StoreEnd(db))
                return outcomes
            }
        } catch let error as DatabaseError {
            // Of a batch that leaves no trace there, nothing is doubled when it is made again.
            guard let applied, applied.end != start else { throw error }
            throw UnconfirmedCommit(outcomes: applied.outcomes, end: applied.end, cause: error)
        }
    }

    /// The same for what is imported.
    func importLines(_ lines: [ImportedLine], at now: Timestamp) async throws -> ImportTally {
        try await run { db in
            try self.requireSameFile()
            do {
                return try self.transaction(db) { ingest in try ingest.importLines(lines, at: now, db) }
            } catch let error as DatabaseError where !error.isTroubleOfTheStore {
                return try self.transaction(db) { ingest in try ingest.importOneByOne(lines, at: now, db) }
            }
        }
    }

    /// Returns the minutes that imports have read so far; nil where there was none.
    func importMemory() async throws -> ImportMemory? {
        try await run { db in try self.ingest.map { try ImportMemory($0.texts.matcher.imported, db) } }
    }

    /// Goes on with the minutes that an import read before the file was closed, unless the file was written since.
    func resume(_ memory: ImportMemory) async throws {
        try await run { db in
            guard try memory.holds(db) else { return }
            var ingest = try self.ingest ?? Ingest(db)
            ingest.texts.matcher.imported = memory.stored
            self.ingest = ingest
        }
    }

    /// One transaction of something that is no event.
    func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await run { db in
            try self.requireSameFile()
            return try Self.transaction(db) { try body(db) }
        }
    }

    func run<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await queue.run(body)
    }

    func close() throws {
        // Its statements first: SQLite closes no connection that has some.
        queue.writeWithoutTransaction { _ in ingest = nil }
        try queue.close()
    }

    private func requireSameFile() throws {
        guard try FileIdentity(path) == file else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "another file has taken its place")
        }
    }

    private func transaction<T>(_ db: Database, _ body: (inout Ingest) throws -> T) throws -> T {
        // Moved out, not copied: a copy would double its tables with the first change.
        var current = try ingest ?? Ingest(db)
        ingest = nil
        let result = try Self.transaction(db) { try body(&current) }
        ingest = current
        return result
    }

    private static func transaction<T>(_ db: Database, _ body: () throws -> T) throws -> T {
        var result: T?
        try db.inTransaction(.immediate) {
            result = try body()
            return .commit
        }
        guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return result
    }
}

/// A commit that the disk did not confirm. SQLite takes it back, but when the disk goes on failing, what it wrote of it may
/// be found whole the next time that the file is opened.
struct UnconfirmedCommit: Error {
    let outcomes: [EventOutcome]
    let end: StoreEnd
    let cause: DatabaseError
}

/// How far the rows go that are only ever appended, and that a batch made twice would double: the one writer's commits leave
/// different ones.
struct StoreEnd: Equatable, Sendable {
    private let lastChange: Int64?
    private let lastSession: Int64?

    init(_ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "SELECT (SELECT max(seq) FROM change), (SELECT max(id) FROM session)")
        let row = try Row.fetchOne(statement)
        (lastChange, lastSession) = try (row?.value(0), row?.value(1))
    }
}

/// Tells a file from another of the same name: SQLite goes on with one that was deleted, and what it commits is lost.
///
/// Only looks, as opening and closing the file would drop SQLite's locks.
private struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    init(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: String(cString: strerror(errno)))
        }
        (device, inode) = (status.st_dev, status.st_ino)
    }
}
