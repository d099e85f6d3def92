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
        var slowings = 0
    }

    /// Leave to make one call; knows how often it had been slowed down by then.
    package struct Turn: Sendable {
        fileprivate let slowings: Int
    }

    private enum Ask {
        case wait(Duration)
        case turn(Turn)
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
    @discardableResult
    package func turn() async throws -> Turn {
        while true {
            try Task.checkCancellation()
            switch ask() {
            case .turn(let turn): return turn
            // Who waited asks again, as it may have been slowed down since.
            case .wait(let wait): try await clock.sleep(for: wait)
            }
        }
    }

    private func ask() -> Ask {
        state.withLock { state in
            let now = watch.elapsed
            guard state.next <= now else { return .wait(state.next - now) }
            state.next = now + state.interval
            return .turn(Turn(slowings: state.slowings))
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

    /// The call of this turn was one too many: nobody calls before the new interval is over. Those that were made before it
    /// was last slowed down tell nothing new.
    package func slowDown(_ turn: Turn) {
        state.withLock { state in
            state.good = 0
            guard turn.slowings == state.slowings else { return }
            state.slowings += 1
            state.interval = min(max(state.interval * 2, limits.slowed), limits.longest)
            state.next = watch.elapsed + state.interval
        }
    }
}
