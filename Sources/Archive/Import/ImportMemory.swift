import GRDB

/// The minutes of an account's file that an import has read. An import that closes the file for a moment need not read them
/// again.
package struct ImportMemory: Sendable {
    let stored: StoredOccurrences
    private let end: StoreEnd
    private let epoch: String?

    init(_ stored: StoredOccurrences, _ db: Database) throws {
        self.stored = stored
        (end, epoch) = (try StoreEnd(db), try Self.epoch(db))
    }

    /// Returns true while nobody has written the file since.
    func holds(_ db: Database) throws -> Bool {
        try StoreEnd(db) == end && Self.epoch(db) == epoch
    }

    private static func epoch(_ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT epoch FROM account")
    }
}
