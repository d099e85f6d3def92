import Listeners
import Logging
import Synchronization

/// Limits how often one kind of record is written of one account, so that no peer can fill the log.
///
/// A kind is a category and a message: messages are constants, and what differs is in the metadata. Records without an account
/// are not of a peer's making, and are not limited.
package final class LogLimiter: Sendable {
    /// What becomes of a record.
    enum Verdict: Hashable {
        /// It is written; so many of its kind were not since the last one that was.
        case write(suppressed: Int)
        case suppress
    }

    private struct Kind: Hashable {
        var label: String
        var account: String
        var message: String
    }

    private struct Credit {
        /// Records that may be written now.
        var records: Int
        /// When the credit last grew, or was full.
        var since: Duration
        var suppressed = 0

        mutating func spend(at now: Duration) -> Verdict {
            let earned = Int(max(.zero, now - since) / LogLimiter.interval)
            since = records + earned >= LogLimiter.burst ? now : since + LogLimiter.interval * earned
            records = min(records + earned, LogLimiter.burst)
            guard records > 0 else {
                suppressed += 1
                return .suppress
            }
            records -= 1
            defer { suppressed = 0 }
            return .write(suppressed: suppressed)
        }
    }

    /// Records of a kind at once: a configuration with that many rooms that can't be joined is shown whole.
    static let burst = 20
    /// After that, one of a kind in this time: 1,440 lines a day, however much a peer sends.
    package static let interval: Duration = .seconds(60)
    /// Kinds remembered: 25 each of 400 accounts. Past it the count starts again.
    static let maximumKinds = 10_000

    private let elapsed: @Sendable () -> Duration
    private let credits = Mutex<[Kind: Credit]>([:])

    /// - Parameter elapsed: A clock that is never set.
    package init(elapsed: @escaping @Sendable () -> Duration = { ClockReading.now().steady }) {
        self.elapsed = elapsed
    }

    /// - Parameter account: Nil for a record of no account.
    func verdict(_ message: String, label: String, account: String?) -> Verdict {
        guard let account else { return .write(suppressed: 0) }
        let now = elapsed()
        let kind = Kind(label: label, account: account, message: message)
        return credits.withLock { credits in
            if credits.count >= Self.maximumKinds, credits[kind] == nil { credits = [:] }
            return credits[kind, default: Credit(records: Self.burst, since: now)].spend(at: now)
        }
    }
}
