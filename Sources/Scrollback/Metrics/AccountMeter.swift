import ChatModel
import Synchronization

/// Counts what an account receives and stores, from the start of the listener on.
final class AccountMeter: Sendable {
    private struct Counts: Sendable {
        var lastByte: Timestamp?
        var lastEvent: Timestamp?
        var lastCommit: Timestamp?
        var connections: Int64 = 0
        var bytes: Int64 = 0
        var messages: [String: Int64] = [:]
        var commits = CommitTimes()
    }

    private let since = Timestamp.now()
    private let counts = Mutex(Counts())

    /// Of what was received, before it is stored.
    func received(_ batch: [ChatEvent]) {
        counts.withLock { counts in
            for case .chunk(let chunk) in batch {
                counts.bytes += Int64(chunk.bytes.count)
                counts.lastByte = Self.later(chunk.receivedAt, counts.lastByte)
            }
        }
    }

    /// Of what is on disk, after `duration`.
    func committed(_ batch: [ChatEvent], _ outcomes: [EventOutcome], after duration: Duration) {
        counts.withLock { counts in
            counts.lastCommit = .now()
            counts.commits.add(duration)
            for (event, outcome) in zip(batch, outcomes) { Self.count(event, outcome, &counts) }
        }
    }

    /// Fills in what was counted; what was received since the file was read is the latest.
    func tell(_ status: inout AccountStatus) {
        let counts = counts.withLock(\.self)
        status.lastByte = Self.later(status.lastByte, counts.lastByte)
        status.lastEvent = Self.later(status.lastEvent, counts.lastEvent)
        status.lastCommit = counts.lastCommit
        status.countedSince = since
        status.reconnects = max(0, counts.connections - 1)
        status.receivedBytes = counts.bytes
        status.received = counts.messages
        status.commits = counts.commits
    }

    private static func count(_ event: ChatEvent, _ outcome: EventOutcome, _ counts: inout Counts) {
        switch event {
        case .sessionOpened:
            counts.connections += 1
        case .message(let message), .edited(let message):
            guard case .new = outcome else { return }
            counts.messages[message.kind.rawValue, default: 0] += 1
            counts.lastEvent = later(message.receivedAt, counts.lastEvent)
        default:
            break
        }
    }

    private static func later(_ a: Timestamp?, _ b: Timestamp?) -> Timestamp? {
        [a, b].compactMap(\.self).max()
    }
}
