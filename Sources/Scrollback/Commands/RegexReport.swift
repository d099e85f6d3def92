import Archive
import ChatModel

/// What looking with a regular expression tells the person who waits for it, on stderr.
struct RegexReport: Sendable {
    let seconds: Int
    private let isShown = StandardStream.error.isTerminal

    init(seconds: Int) {
        self.seconds = seconds
    }

    /// Rewrites a terminal's last line; nowhere else.
    func show(_ progress: RegexProgress) {
        guard isShown, progress.looked > 0, progress.looked % 20_000 < MessageQuery.limits.upperBound else { return }
        StandardStream.note("\r\u{1B}[Klooked at \(progress.looked.grouped) messages\(place(progress))")
    }

    /// To the line's beginning, and erases it.
    func clear() {
        if isShown { StandardStream.note("\r\u{1B}[K") }
    }

    /// What a page may lack; empty for most.
    func notes(_ progress: RegexProgress) -> String {
        var notes = ""
        if progress.isCut { notes += "\(stopped(progress)); --timeout gives it longer\n" }
        if progress.givenUp > 0 {
            notes += """
                the expression took too many steps on \(progress.givenUp.grouped) messages, which were left out; one without \
                nested repetition takes fewer\n
                """
        }
        return notes
    }

    func stopped(_ progress: RegexProgress) -> String {
        "stopped after \(seconds) s and \(progress.looked.grouped) messages\(place(progress))"
    }

    private func place(_ progress: RegexProgress) -> String {
        progress.last.map { ", at \($0)" } ?? ""
    }
}
