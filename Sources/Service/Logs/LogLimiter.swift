import Listeners
import Logging
import Synchronization

/// Limits the rate of one kind of log record for one account, so that no peer can fill the log.
///
/// A kind is a category and a message: messages are constants, and values are in the metadata. Records without an
/// account are not caused by a peer, and are not limited.
package final class LogLimiter: Sendable {
    /// The decision about a record.
    enum Verdict: Hashable {
        /// Write the record; `suppressed` records of its kind were left out since the last one.
        case write(suppressed: Int)
        case suppress
    }

    private struct Kind: Hashable {
        var label: String
        var account: String
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

    /// - Parameter account: Nil for a record without an account.
    func verdict(_ message: String, label: String, account: String?, level: Logger.Level = .warning) -> Verdict {
        guard let account else { return .write(suppressed: 0) }
        let now = elapsed()
        let kind = Kind(label: label, account: account, message: message, level: level)
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
            logger(kind.label).log(level: kind.level, "\(kind.message)", metadata: ["account": "\(kind.account)"])
        }
    }
}
