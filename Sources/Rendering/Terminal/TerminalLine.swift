import Synchronization

/// The last line of the terminal on stderr, overwritten while a long work proceeds. Shows nothing when stderr is not a
/// terminal.
package final class TerminalLine: Sendable {
    private struct State {
        var next: ContinuousClock.Instant
        var wasShown = false
    }

    /// True if stderr is a terminal.
    package let isShown = StandardStream.error.isTerminal
    private let delay: Duration
    private let state: Mutex<State>

    /// The shortest time between two updates.
    private static let interval = Duration.milliseconds(200)

    /// - Parameter delay: The time before the line is first shown.
    package init(delay: Duration = .zero) {
        self.delay = delay
        state = Mutex(State(next: .now + delay))
    }

    /// Shows a text, unless the last one is less than 200 ms old.
    ///
    /// - Parameter text: A safe text; it is cut at the end of the terminal's line. Evaluated only if it is shown.
    package func show(_ text: @autoclosure () -> String) {
        guard isShown else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            guard now >= state.next else { return }
            state = State(next: now + Self.interval, wasShown: true)
            // Leaves the last column free, because after it some terminals go to the next line.
            let width = Terminal(environment: [:]).width(of: .error) - 1
            StandardStream.note("\r\u{1B}[K" + DisplayWidth.cut(text(), to: max(width, 1)))
        }
    }

    /// Erases the line, and waits for `delay` before it shows another.
    package func clear() {
        state.withLock { state in
            if state.wasShown { StandardStream.note("\r\u{1B}[K") }
            state = State(next: .now + delay)
        }
    }
}
