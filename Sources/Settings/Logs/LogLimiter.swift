import ChatModel
import Logging
import Synchronization

/// Limits the rate of one kind of log record for one account or one reason, so that no peer can fill the log.
///
/// A kind is a category and a message: messages are constants, and values are in the metadata. Records with neither an
/// account nor the reason of a refused request are not caused by a peer, and are not limited.
package final class LogLimiter: Sendable {
    /// The decision about a record.
    enum Verdict: Hashable {
        /// Write the record; `suppressed` records of its kind were left out since the last one.
        case write(suppressed: Int)
        case suppress
    }

    /// The key of the reason for which a request was refused.
    package static let reason = "refused"

    /// The cause of a record: the value of a key in its metadata.
    struct Cause: Hashable {
        var key: String
        var value: String

        /// Nil for a record that is not limited.
        init?(_ metadata: Logger.Metadata) {
            guard let key = ["account", LogLimiter.reason].first(where: { metadata[$0] != nil }) else { return nil }
            (self.key, value) = (key, "\(metadata[key] ?? "")")
        }
    }

    private struct Kind: Hashable {
        var label: String
        var cause: Cause
        var message: String
        var level: Logger.Level
    }

    private struct Credit {
        /// The number of records that may be written now.
        var records: Int
        /// The time when the credit last grew or was full.
        var since: Duration
        var suppressed = 0

        private func earned(at now: Duration) -> Int {
            Int(max(.zero, now - since) / LogLimiter.interval)
        }

        /// Returns true if records were left out and another one may be written now.
        func isOverdue(at now: Duration) -> Bool {
            suppressed > 0 && records + earned(at: now) > 0
        }

        mutating func spend(at now: Duration) -> Verdict {
            let earned = earned(at: now)
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

    /// The number of records of a kind that are written at once: a configuration with 20 rooms that can't be joined
    /// shows all of them.
    static let burst = 20
    /// The interval after that: 1,440 lines of a kind a day, regardless of a peer's input.
    static let interval: Duration = .seconds(60)
    /// The interval of reports about kinds that are no longer logged: the number of their left-out lines is written at
    /// most 70 s after the last line.
    private static let reportInterval: Duration = .seconds(10)
    /// The limit of remembered kinds: 25 each of 400 accounts. Above it, counting starts again.
    static let maximumKinds = 10_000

    private let elapsed: @Sendable () -> Duration
    private let credits = Mutex<[Kind: Credit]>([:])

    /// - Parameter elapsed: Returns the time of a clock that is never set.
    package init(elapsed: @escaping @Sendable () -> Duration = { ClockReading.now().steady }) {
        self.elapsed = elapsed
    }

    /// - Parameter metadata: The metadata of the record.
    func verdict(
        _ message: String, label: String, metadata: Logger.Metadata, level: Logger.Level = .warning
    ) -> Verdict {
        guard let cause = Cause(metadata) else { return .write(suppressed: 0) }
        let now = elapsed()
        let kind = Kind(label: label, cause: cause, message: message, level: level)
        return credits.withLock { credits in
            if credits.count >= Self.maximumKinds, credits[kind] == nil { credits = [:] }
            return credits[kind, default: Credit(records: Self.burst, since: now)].spend(at: now)
        }
    }

    /// Reports left-out records of kinds that are no longer logged, until the task is cancelled.
    package func run(clock: any Clock<Duration> = ContinuousClock()) async {
        while (try? await clock.sleep(for: Self.reportInterval)) != nil { report() }
    }

    /// Logs one more record for each kind with left-out records, no new record, and credit again. The record has only
    /// their number.
    ///
    /// - Parameter logger: Returns the logger of a label, whose records this limiter sees.
    func report(to logger: (String) -> Logger = { Logger(label: $0) }) {
        let now = elapsed()
        let kinds = credits.withLock { credits in credits.filter { $0.value.isOverdue(at: now) }.keys }
        for kind in kinds {
            logger(kind.label).log(
                level: kind.level, "\(kind.message)", metadata: [kind.cause.key: "\(kind.cause.value)"])
        }
    }
}
