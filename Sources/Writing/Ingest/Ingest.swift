package import Records
package import SQLite
import Schema

/// Writes messages as rows, with all that belongs to them, inside a transaction that its caller begins and ends. An
/// ``EventBatch`` applies a listener's events.
///
/// Keeps state between batches. After a rollback, the caller must continue with the value from before the transaction
/// or with a new one.
package struct Ingest {
    var rows: MessageRows
    package var directory = Directory()
    package var texts = MessageTexts()
    package var retractions: RetractionBook
    package var reactions: StandingReactions
    var sessions = SessionBook()
    package var purged: PurgedTimes
    package private(set) var forgotten: ForgottenBook
    /// The rooms of an import that may be groups or conversations of two.
    package var roomKinds = ImportedRoomKinds()
    package let bridges: BridgeBook
    /// The rooms of an import whose messages count as read; nil for every other batch.
    package var arrivals: ReadArrivals?
    /// The instants of history that could not be stored, until the fetched time counts as covered.
    var missing = MissedInstants()
    var refused = RefusedMessage()

    package init(_ db: Database) throws {
        rows = try MessageRows(db)
        retractions = try RetractionBook(db)
        reactions = try StandingReactions(db)
        purged = try PurgedTimes(db)
        forgotten = try ForgottenBook(db)
        bridges = try BridgeBook(db)
    }

    /// Runs `body` in a savepoint. If the store refuses a write, undoes all changes of `body` to this value and the
    /// file.
    ///
    /// - Throws: Errors that may pass, such as a full disk.
    package mutating func attempt<T>(
        _ db: Database, _ body: (inout Ingest) throws -> T
    ) throws -> Result<T, DatabaseError> {
        var copy = self
        do {
            let result = try db.inSavepoint { try body(&copy) }
            self = copy
            return .success(result)
        } catch let error as DatabaseError where !error.isStorageError {
            // The copy may have noted messages in the shared counts.
            texts.matcher.forget()
            return .failure(error)
        }
    }

    /// Writes the batch's totals: the index, the sessions' progress and the rooms' counts.
    package mutating func finish(_ db: Database) throws {
        try directory.settleOwners(db)
        try texts.flush(db)
        try sessions.flush(db)
        try rows.flush(db)
    }
}
