import ChatModel
import Files
import SQLite
import Schema
import Writing

/// Applies rules, forgets and erases.
extension WriterConnection {
    /// The size of the write-ahead log in pages at which a step of removing messages empties it.
    private static let purgeCheckpoint = 200

    /// Runs one step of applying rules in a transaction.
    func purge(_ purger: Purger, from place: PurgePlace?, _ files: AttachmentFolder) async throws -> PurgeProgress {
        try await run { db in
            try self.requireSameFile()
            // A checkpoint after a COMMIT holds the writer, too. Removing changes pages all over the file, which a disk
            // writes slowly, so the checkpoints are small and frequent meanwhile.
            let usual = try Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint") ?? 1000
            try db.execute(sql: "PRAGMA wal_autocheckpoint = \(Self.purgeCheckpoint)")
            defer { try? db.execute(sql: "PRAGMA wal_autocheckpoint = \(usual)") }
            let progress = try self.transaction(db) { ingest in try purger.step(from: place, &ingest, db) }
            try GoneContents.delete(from: files, db)
            return progress
        }
    }

    /// Runs a step of forgetting: finds messages, and takes them away in a transaction.
    func forgetMessages(_ forgetter: Forgetter, after place: Int64, _ files: AttachmentFolder) async throws
        -> Forgetter.Batch
    {
        try await run { db in
            try self.requireSameFile()
            let batch = try forgetter.batch(after: place, db)
            // The first step may also note the person.
            guard !batch.messages.isEmpty || place == .min else { return batch }
            try self.transaction(db) { ingest in
                try forgetter.forget(batch.messages, isFirst: place == .min, &ingest, db)
            }
            // The book of what is forgotten may have been empty.
            self.ingest = nil
            try GoneContents.delete(from: files, db)
            return batch
        }
    }

    /// Runs one step of erasing a room in a transaction. The state between batches remembers names and what is forgotten.
    func erase(_ eraser: RoomEraser, from place: ErasingPlace?, _ files: AttachmentFolder) async throws
        -> ErasingProgress
    {
        try await run { db in
            try self.requireSameFile()
            let progress = try self.transaction(db) { ingest in try eraser.step(from: place, &ingest, db) }
            self.ingest = nil
            try GoneContents.delete(from: files, db)
            return progress
        }
    }

    /// Forgets the messages whose digests only the catalog has, because the file is from an older backup. Removes the traces
    /// that a crash during forgetting left.
    func adoptForgotten(_ adoption: ForgottenAdoption, _ files: AttachmentFolder, _ db: Database) throws {
        if let missing = try adoption.missing(db) {
            var place = Int64.min
            while let next = try transaction(
                db, { ingest in try missing.forget(after: place, at: .now(), &ingest, db) })
            { place = next }
            ingest = nil
            try GoneContents.delete(from: files, db)
        }
        guard try SpentPages.needsScrub(db) else { return }
        while try db.inTransaction(.immediate, { try SpentPages.scrub(db) }) {}
        while try SpentPages.clear(db) == nil {}
    }

    /// Changes holds. The state between batches has them, too.
    func writeHolds<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await run { db in
            try self.requireSameFile()
            return try self.transaction(db) { ingest in
                let result = try body(db)
                ingest.purged = try PurgedTimes(db)
                return result
            }
        }
    }
}
