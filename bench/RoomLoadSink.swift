import ChatModel
import TestSupport

/// A sink that passes events to the store, and records what was committed.
struct ObservingSink: EventSink {
    struct Seen: Sendable {
        var batches: [[ChatEvent]] = []
        /// The bytes of the committed chunks.
        var bytes = 0
    }

    let base: any EventSink
    let seen = Watched(Seen())

    func append(_ batch: [ChatEvent]) async throws -> [EventOutcome] {
        let outcomes = try await base.append(batch)
        seen.change { seen in
            seen.batches.append(batch)
            for case .chunk(let chunk) in batch { seen.bytes += chunk.bytes.count }
        }
        return outcomes
    }
}
