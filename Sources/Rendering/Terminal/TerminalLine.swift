import Synchronization

/// The last line of a terminal on stderr, written over as long work goes on; where that is no terminal, nothing is shown.
package final class TerminalLine: Sendable {
    private struct State {
        var next: ContinuousClock.Instant
        var wasShown = false
    }

    package let isShown = StandardStream.error.isTerminal
    private let patience: Duration
    private let state: Mutex<State>

    /// Between two looks at it.
    private static let interval = Duration.milliseconds(200)

    /// - Parameter patience: What takes no longer than this needs no line.
    package init(patience: Duration = .zero) {
        self.patience = patience
        state = Mutex(State(next: .now + patience))
    }

    /// - Parameter text: Safe to show, cut where the terminal's line ends.
    package func show(_ text: @autoclosure () -> String) {
        guard isShown else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            guard now >= state.next else { return }
            state = State(next: now + Self.interval, wasShown: true)
            // In the last column, some terminals go to the next line.
            let width = Terminal(environment: [:]).width(of: .error) - 1
            StandardStream.note("\r\u{1B}[K" + DisplayWidth.cut(text(), to: max(width, 1)))
        }
    }

    /// Erases it, and waits again before it shows anything.
    package func clear() {
        state.withLock { state in
            if state.wasShown { StandardStream.note("\r\u{1B}[K") }
            state = State(next: .now + patience)
        }
    }
}
