import ChatModel
package import Reading
import Rendering

/// The report about a search with a regular expression, while it runs and at its end.
package struct RegexReport: Sendable {
    /// The longest time for the expression.
    let seconds: Int
    /// Shows a line of progress; an empty one removes it.
    private let line: @Sendable (String) -> Void

    /// The advice when the time is over.
    let advice: String

    package init(
        seconds: Int, advice: String = "raise the limit with --timeout",
        line: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.seconds, self.advice, self.line) = (seconds, advice, line)
    }

    /// Returns the report of a request, whose sender can't change the time.
    package static func ofRequest(seconds: Int) -> RegexReport {
        RegexReport(seconds: seconds, advice: "add a word, a person, a room or a time")
    }

    package func show(_ progress: RegexProgress) {
        guard progress.tested > 0 else { return }
        line("searched \(progress.tested.of(.message))\(place(progress))")
    }

    func clear() {
        line("")
    }

    /// Returns notes on hits that a page may lack; empty for most pages.
    func notes(_ progress: RegexProgress) -> String {
        var notes = ""
        if progress.isCut { notes += "\(stopped(progress)); \(advice)\n" }
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
