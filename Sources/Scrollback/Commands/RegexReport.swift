import Archive
import ChatModel
import Rendering

/// The report on stderr about a search with a regular expression.
struct RegexReport: Sendable {
    let seconds: Int
    private let line = TerminalLine()

    init(seconds: Int) {
        self.seconds = seconds
    }

    func show(_ progress: RegexProgress) {
        guard progress.tested > 0 else { return }
        line.show("searched \(progress.tested.of(.message))\(place(progress))")
    }

    func clear() {
        line.clear()
    }

    /// Returns notes on hits that a page may lack; empty for most pages.
    func notes(_ progress: RegexProgress) -> String {
        var notes = ""
        if progress.isCut { notes += "\(stopped(progress)); raise the limit with --timeout\n" }
        if progress.skipped > 0 {
            notes += """
                skipped \(progress.skipped.of(.message)): the expression took too many steps; an \
                expression without nested repetition takes fewer\n
                """
        }
        return notes
    }

    func stopped(_ progress: RegexProgress) -> String {
        "stopped after \(seconds) s and \(progress.tested.of(.message))\(place(progress))"
    }

    private func place(_ progress: RegexProgress) -> String {
        progress.last.map { ", at \($0)" } ?? ""
    }
}
