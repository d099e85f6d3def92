import ChatModel
import Foundation
import GRDB

/// An account's writing connection with what its writer remembers, on a queue of their own.
final class WriterConnection: @unchecked Sendable {
    // @unchecked: `ingest` is touched only by closures on `queue`, which runs one at a time.
    private let queue: DatabaseQueue
    /// Nil after a rollback: what it remembered may not be true.
    private var ingest: Ingest?

    init(path: String) throws {
        queue = try Connection.writing(path: path)
    }

    /// One transaction; when an event is refused for what it is, a second one that leaves such events to `failure`.
    func commit(_ batch: [ChatEvent]) async throws -> [EventOutcome] {
        try await run { db in
            do {
                return try self.transaction(db) { ingest in try ingest.apply(batch, db) }
            } catch let error as DatabaseError where !error.isTroubleOfTheStore {
                return try self.transaction(db) { ingest in try ingest.applyOneByOne(batch, db) }
            }
        }
    }

    func run<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await queue.run(body)
    }

    func close() throws {
        try queue.close()
    }

    private func transaction<T>(_ db: Database, _ body: (inout Ingest) throws -> T) throws -> T {
        // Moved out, not copied: a copy would double its tables with the first change.
        var current = try ingest ?? Ingest(db)
        ingest = nil
        var result: T?
        try db.inTransaction(.immediate) {
            result = try body(&current)
            return .commit
        }
        ingest = current
        guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return result
    }
}
