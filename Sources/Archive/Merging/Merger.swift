import ChatModel
import Files
import Records
import SQLite
import Writing

/// Merges a person or a room into another, or undoes that, in steps, each in a transaction that the writer runs between
/// events.
///
/// From the first step on, events of the merged one's key go to the other. A merge that a crash interrupted has some
/// messages at either place; the same command continues it.
struct Merger {
    let request: Merging
    let now: Timestamp

    /// The rows that one step looks through for a person's messages: some milliseconds.
    static let window = 20_000
    /// The messages that one step moves.
    static let atOnce = 500

    var kind: Merging.Kind { request.kind }

    func step(from place: MergingPlace?, _ ingest: inout Ingest, _ db: Database) throws -> MergingProgress {
        guard let place else {
            try request.undoes ? beginUndoing(db) : begin(db)
            return MergingProgress(next: .messages(after: .min, noise: false))
        }
        guard let merge = try MergeBook.find(request, db), merge.chosen == request.into else {
            throw error("is not merged into \(request.into)")
        }
        switch place {
        case .messages(let after, let noise):
            return try request.undoes
                ? moveBack(merge, &ingest, db) : move(merge, after: after, noise: noise, &ingest, db)
        case .facts:
            var progress = MergingProgress(next: nil)
            if request.undoes {
                try restoreFacts(merge, &ingest, db)
            } else {
                progress.left = try moveFacts(merge, &ingest, db)
            }
            return progress
        }
    }

    func error(_ words: String, of id: Int64? = nil) -> ArchiveError {
        let noun = kind == .people ? "person" : "room"
        return ArchiveError(code: .merge, detail: "\(noun) \(id ?? request.from) \(words)")
    }
}
