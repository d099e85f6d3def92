import ChatModel
import Reading
import Synchronization

/// The answers of the last second, for equal requests as long as the files that they were read from do not change.
///
/// An answer that depends on the clock, such as one to `after=2h`, may be a second old.
final class RecentAnswers: Sendable {
    /// A request as one visitor sees it.
    struct Question: Hashable {
        var access: ReadAccess
        /// The path and the query.
        var address: String
    }

    private struct Entry {
        var document: Answer.Document
        var stamp: ArchiveStamp
        var end: ContinuousClock.Instant
    }

    /// The time for which an answer is kept.
    static let life = Duration.seconds(1)
    /// The limit of all texts in bytes, with the compressed forms that they have when another answer comes.
    static let maximumBytes = 4 << 20

    private let entries = Mutex<[Question: Entry]>([:])

    func answer(to question: Question) -> Answer.Document? {
        guard let entry = entries.withLock({ $0[question] }), entry.end > .now, entry.stamp.isCurrent else {
            return nil
        }
        return entry.document
    }

    /// Keeps an answer, unless the answers of the last second fill the memory.
    func keep(_ document: Answer.Document, to question: Question, _ stamp: ArchiveStamp) {
        let now = ContinuousClock.now
        entries.withLock { entries in
            entries = entries.filter { $0.value.end > now && $0.key != question }
            let bytes = entries.values.reduce(document.memory) { $0 + $1.document.memory }
            guard bytes <= Self.maximumBytes else { return }
            entries[question] = Entry(document: document, stamp: stamp, end: now + Self.life)
        }
    }
}
