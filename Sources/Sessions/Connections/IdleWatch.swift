import Synchronization

/// Ends a wait that takes too long, with one timer for many consecutive waits: a cancelled sleep keeps 0.7 KB until it
/// is due (Swift 6.3, *(measured)*), and there may be a thousand waits a second.
final class IdleWatch: Sendable {
    private struct State {
        /// The beginning of the present wait, by the stopwatch, and its cancellation; nil between waits.
        var wait: (since: Duration, cancel: @Sendable () -> Void)?
        var isLate = false
    }

    let limit: Duration
    private let clock: any Clock<Duration>
    private let watch: Stopwatch
    private let state = Mutex(State())

    init(limit: Duration, clock: any Clock<Duration>) {
        (self.limit, self.clock, watch) = (limit, clock, Stopwatch(clock))
    }

    /// True if a wait took too long and was ended.
    var isLate: Bool { state.withLock { $0.isLate } }

    func begin(_ cancel: @escaping @Sendable () -> Void) {
        let now = watch.elapsed
        state.withLock { $0.wait = (now, cancel) }
    }

    func end() {
        state.withLock { $0.wait = nil }
    }

    /// Watches until a wait has taken too long, or the task is cancelled.
    func run() async throws {
        while let rest = remainingTime() { try await clock.sleep(for: rest) }
    }

    /// Returns the remaining time of the present wait, or of one that begins now; nil if it took too long.
    private func remainingTime() -> Duration? {
        let (rest, cancel) = state.withLock { state -> (Duration?, (@Sendable () -> Void)?) in
            guard let wait = state.wait else { return (limit, nil) }
            let rest = wait.since + limit - watch.elapsed
            guard rest <= .zero else { return (rest, nil) }
            state.isLate = true
            return (nil, wait.cancel)
        }
        cancel?()
        return rest
    }
}
