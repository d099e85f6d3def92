import ChatModel
import Writing

extension WriterConnection {
    /// Runs one step of making a bridge in a transaction. The state between batches remembers bridges and names.
    func bridge(_ bridger: Bridger, from place: MergingPlace?) async throws -> MergingProgress {
        try await run { db in
            try self.requireSameFile()
            let progress = try self.transaction(db) { ingest in try bridger.step(from: place, &ingest, db) }
            self.ingest = nil
            return progress
        }
    }
}
