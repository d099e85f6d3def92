import ChatModel
import Sessions
import Synchronization

/// Counts the events that an account receives and stores since the start of the listener.
final class AccountMeter: Sendable {
    private struct Counts: Sendable {
        var lastEvent: Timestamp?
        var lastCommit: Timestamp?
        var connections: Int64 = 0
        var messages: [String: Int64] = [:]
        var commits = CommitTimes()
        /// The microseconds by which times of receipt are ahead of the wall clock.
        var ahead: Int64 = 0
    }

    /// The count of received bytes, which the connections update.
    let traffic = Traffic()

    private let since = Timestamp.now()
    private let counts = Mutex(Counts())

    /// Counts a batch that is on disk after `duration`.
    func committed(_ batch: [ChatEvent], _ outcomes: [EventOutcome], after duration: Duration) {
        counts.withLock { counts in
            counts.lastCommit = .now()
            counts.commits.add(duration)
            for (event, outcome) in zip(batch, outcomes) { Self.count(event, outcome, &counts) }
        }
    }

    /// Fills the counts into a status. While the account is connected, the last byte is the last sign of life. Otherwise it
    /// may be that of a refusal, and only the earlier connections count.
    func fill(_ status: inout AccountStatus) {
        let counts = counts.withLock(\.self)
        if status.state == .connected, let heard = traffic.lastByte { status.lastSignOfLife = heard }
        status.lastByte = status.lastSignOfLife
        status.lastEvent = Self.later(status.lastEvent, counts.lastEvent)
        status.lastCommit = counts.lastCommit
        status.countedSince = since
        status.reconnects = max(0, counts.connections - 1)
        status.receivedBytes = traffic.bytes
        status.received = counts.messages
        status.commits = counts.commits
    }

    private static func count(_ event: ChatEvent, _ outcome: EventOutcome, _ counts: inout Counts) {
        if case .sessionOpened(_, let offset) = event {
            counts.connections += 1
            counts.ahead = offset.ahead
        } else if case .receiptOffset(_, let offset) = event {
            counts.ahead = offset.ahead
        } else if case .message(let message, _) = event, case .new = outcome {
            counts.messages[message.kind.rawValue, default: 0] += 1
            counts.lastEvent = later(message.receivedAt.advanced(byMicroseconds: 0 &- counts.ahead), counts.lastEvent)
        }
    }

    private static func later(_ a: Timestamp?, _ b: Timestamp?) -> Timestamp? {
        [a, b].compactMap(\.self).max()
    }
}
