import ChatModel
import Importing
import Synchronization

/// The lines that an import would store.
final class CollectedLines: Sendable {
    private let stored = Mutex<[ImportedLine]>([])

    var lines: [ImportedLine] { stored.withLock { $0 } }

    var messages: [ImportedMessage] {
        lines.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    var bodies: [String] { messages.map { $0.body ?? "" } }

    /// Takes a batch, each line as new.
    func store(_ batch: ImportBatch) -> ImportTally {
        stored.withLock { $0 += batch.lines }
        return ImportTally(new: batch.lines.count)
    }
}
