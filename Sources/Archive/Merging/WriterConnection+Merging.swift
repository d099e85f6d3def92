import ChatModel
import Writing

extension WriterConnection {
    /// Runs one step of a merge in a transaction. The state between batches remembers names, which the merge changes.
    func merge(_ merger: Merger, from place: MergingPlace?) async throws -> MergingProgress {
        try await run { db in
            try self.requireSameFile()
            let progress = try self.transaction(db) { ingest in try merger.step(from: place, &ingest, db) }
            self.ingest = nil
            return progress
        }
    }
}
