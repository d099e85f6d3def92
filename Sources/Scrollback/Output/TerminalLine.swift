/// The last line of a terminal on stderr, written over as long work goes on; where that is no terminal, nothing is shown.
final class TerminalLine {
    let isShown = StandardStream.error.isTerminal
    private var last: ContinuousClock.Instant?

    /// Between two looks at it.
    private static let interval = Duration.milliseconds(200)

    func show(_ text: @autoclosure () -> String) {
        let now = ContinuousClock.now
        guard isShown, last.map({ now - $0 > Self.interval }) ?? true else { return }
        last = now
        StandardStream.note("\r\u{1B}[K" + text())
    }

    /// To the line's beginning, and erases it.
    func clear() {
        if isShown, last != nil { StandardStream.note("\r\u{1B}[K") }
    }
}
