import ChatModel
import SQLite
import Schema
import Writing

extension WriterConnection {
    /// The number of imported lines in a transaction from which the settings for large transactions are used. A
    /// listener takes fewer at a time.
    private static let bulk = 1001

    /// Stores lines of an import in one transaction.
    func importLines(_ lines: [ImportedLine], marksRead: Bool, at now: Timestamp) async throws -> ImportTally {
        try await run { db in
            try self.requireSameFile()
            if lines.count >= Self.bulk { try self.prepareBulk(db) }
            let importer = LineImporter(marksRead: marksRead, now: now)
            do {
                return try self.transaction(db) { try importer.importLines(lines, &$0, db) }
            } catch let error as DatabaseError where !error.isStorageError {
                return try self.transaction(db) { try importer.importOneByOne(lines, &$0, db) }
            }
        }
    }

    /// Sets the connection up for large transactions. A larger cache holds the changed pages, because SQLite writes a
    /// page twice if the cache has no room for it. Rarer checkpoints copy a page once for several transactions. Freed
    /// pages are not overwritten with zeros, because an import deletes no text; ``MessageTexts/wipe(_:_:)``
    /// overwrites wiped texts with any setting.
    private func prepareBulk(_ db: Database) throws {
        guard !isBulk else { return }
        try db.execute(sql: "PRAGMA cache_size = -6144; PRAGMA wal_autocheckpoint = 8000; PRAGMA secure_delete = FAST")
        isBulk = true
    }

    /// Returns the minutes that imports have read so far; nil if nothing was written yet.
    func importMemory() async throws -> ImportMemory? {
        try await run { db in try self.ingest.map { try ImportMemory($0.texts.matcher.imported, db) } }
    }

    /// Restores the minutes that an import read before the file was closed, unless the file was written since.
    func resume(_ memory: ImportMemory) async throws {
        try await run { db in
            guard try memory.isCurrent(db) else { return }
            var ingest = try self.ingest ?? Ingest(db)
            ingest.texts.matcher.imported = memory.stored
            self.ingest = ingest
        }
    }
}
