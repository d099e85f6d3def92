import Synchronization

/// Spaces out the calls of one account, and more so when the service says that they are too many.
package final class SLPPace: Sendable {
    package struct Limits: Sendable, Hashable {
        /// Between two calls, at best: 20 a second, so that some hundred rooms are asked for within seconds.
        package var shortest: Duration = .milliseconds(50)
        /// Between two calls after the service first said that they are too many; it doubles each time.
        package var slowed: Duration = .seconds(1)
        package var longest: Duration = .seconds(60)
        /// As many good answers in a row halve it again.
        package var recovery = 20

        package init() {}
    }

    private struct State {
        var interval: Duration
        /// When the next call may be made, on the stopwatch.
        var next: Duration = .zero
        var good = 0
    }

    private let limits: Limits
    private let clock: any Clock<Duration>
    private let watch: Stopwatch
    private let state: Mutex<State>

    package init(limits: Limits = Limits(), clock: any Clock<Duration> = ContinuousClock()) {
        (self.limits, self.clock, watch) = (limits, clock, Stopwatch(clock))
        state = Mutex(State(interval: limits.shortest))
    }

    /// Between two calls, for now.
    package var interval: Duration { state.withLock { $0.interval } }

    /// Returns when the next call may be made.
    ///
    /// - Throws: `CancellationError`.
    package func turn() async throws {
        while let wait = takeTurn() { try await clock.sleep(for: wait) }
        try Task.checkCancellation()
    }

    /// How long to wait before asking again; nil when it is our turn. Those who wait ask again, as it may have been slowed
    /// down since.
    private func takeTurn() -> Duration? {
        state.withLock { state in
            let now = watch.elapsed
            guard state.next <= now else { return state.next - now }
            state.next = now + state.interval
            return nil
        }
    }

    package func succeeded() {
        state.withLock { state in
            guard state.interval > limits.shortest else { return }
            state.good += 1
            guard state.good >= limits.recovery else { return }
            state.good = 0
            state.interval = state.interval <= limits.slowed ? limits.shortest : state.interval / 2
        }
    }

    /// Nobody calls before the new interval is over. Calls that were made together are slowed down for once.
    package func slowDown() {
        state.withLock { state in
            let now = watch.elapsed
            state.good = 0
            guard state.interval < limits.slowed || state.next <= now else { return }
            state.interval = min(max(state.interval * 2, limits.slowed), limits.longest)
            state.next = now + state.interval
        }
    }
}
