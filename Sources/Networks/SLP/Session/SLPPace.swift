import Sessions
import Synchronization

/// Limits the rate of one account's calls, and lowers it when the service refuses calls as too many.
package final class SLPPace: Sendable {
    /// The time between two calls.
    package struct Limits: Sendable, Hashable {
        /// The time while no call was refused: 20 calls a second, so that 100 rooms are read within seconds.
        package var shortest: Duration = .milliseconds(50)
        /// The time after the first refusal; further refusals double it.
        package var slowed: Duration = .seconds(1)
        /// The limit after several refusals.
        package var longest: Duration = .seconds(60)
        /// The number of consecutive successful calls that halves the time again.
        package var recovery = 20

        package init() {}
    }

    private struct State {
        var interval: Duration
        /// The time of the next call, by the stopwatch.
        var next: Duration = .zero
        var successes = 0
        var slowings = 0
    }

    /// A permission for one call, with the number of refusals before it.
    package struct Turn: Sendable {
        fileprivate let slowings: Int
    }

    private enum Permission {
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

    /// The present time between two calls.
    package var interval: Duration { state.withLock { $0.interval } }

    /// Waits until the next call may be made.
    ///
    /// - Throws: `CancellationError`.
    @discardableResult
    package func turn() async throws -> Turn {
        while true {
            try Task.checkCancellation()
            switch requestTurn() {
            case .turn(let turn): return turn
            // Checks again after the wait, because calls may have slowed down meanwhile.
            case .wait(let wait): try await clock.sleep(for: wait)
            }
        }
    }

    private func requestTurn() -> Permission {
        state.withLock { state in
            let now = watch.elapsed
            guard state.next <= now else { return .wait(state.next - now) }
            state.next = now + state.interval
            return .turn(Turn(slowings: state.slowings))
        }
    }

    /// Counts a successful call. Enough of them in a row raise the rate again.
    package func succeeded() {
        state.withLock { state in
            guard state.interval > limits.shortest else { return }
            state.successes += 1
            guard state.successes >= limits.recovery else { return }
            state.successes = 0
            state.interval = state.interval <= limits.slowed ? limits.shortest : state.interval / 2
        }
    }

    /// Lowers the rate after the call of this turn was refused as one too many. The next call waits for the whole new
    /// interval. Ignores turns from before the last slowdown.
    package func slowDown(_ turn: Turn) {
        state.withLock { state in
            state.successes = 0
            guard turn.slowings == state.slowings else { return }
            state.slowings += 1
            state.interval = min(max(state.interval * 2, limits.slowed), limits.longest)
            state.next = watch.elapsed + state.interval
        }
    }
}
