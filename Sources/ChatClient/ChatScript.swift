import Settings

/// The lines of stdin, and the results of sending them. Empty lines are skipped.
struct ChatScript: Sendable {
    enum Step: Sendable, Hashable {
        case skip
        case send(String)
        /// The line can't be sent; the reason is for people and has the line's number.
        case refuse(String)
    }

    /// The number of the last line, from 1.
    private(set) var number = 0
    /// The number of lines that aren't empty.
    private(set) var lines = 0
    /// The number of lines that were refused.
    private(set) var refused = 0
    /// True if the last line has been read.
    private(set) var hasEnded = false
    /// The reason why stdin can't be read.
    private(set) var failure: String?
    private var hasReportedUnconfirmed = false

    mutating func next(_ line: ScriptLineSplitter.Line) -> Step {
        number += 1
        guard line != .text("") else { return .skip }
        lines += 1
        switch line {
        case .tooLong: return refuse("the message has over \(ChatText.maximumBytes) bytes")
        case .notUTF8: return refuse("the message is not UTF-8")
        case .text(let text): return ChatText.problem(text).map { refuse($0) } ?? .send(text)
        }
    }

    mutating func end() {
        hasEnded = true
    }

    mutating func fail(_ reason: String) {
        failure = reason
    }

    /// Records that the server did not send the last line back. Returns a note for people the first time only, because
    /// such a server never sends lines back.
    mutating func wasNotConfirmed() -> String? {
        defer { hasReportedUnconfirmed = true }
        return hasReportedUnconfirmed ? nil : "line \(number) was sent, but the server did not send it back; continuing"
    }

    private mutating func refuse(_ reason: String) -> Step {
        refused += 1
        return .refuse("line \(number) was not sent: \(reason)")
    }
}
