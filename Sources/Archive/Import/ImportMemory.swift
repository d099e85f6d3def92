import SQLite
import Writing

/// The minutes of an account's file that an import has read. An import that closes the file and opens it again need not
/// read them twice.
package struct ImportMemory: Sendable {
    let stored: StoredOccurrences
    private let end: StoreEnd
    private let epoch: String?

    init(_ stored: StoredOccurrences, _ db: Database) throws {
        self.stored = stored
        (end, epoch) = (try StoreEnd(db), try Self.epoch(db))
    }

    /// Returns true if no message was stored or changed in the file since.
    func isCurrent(_ db: Database) throws -> Bool {
        try StoreEnd(db) == end && Self.epoch(db) == epoch
    }

    private static func epoch(_ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT epoch FROM account")
    }
}
