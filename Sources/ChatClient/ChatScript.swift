/// What becomes of the lines of stdin, as a value. Empty lines say nothing.
struct ChatScript: Sendable {
    enum Step: Sendable, Hashable {
        case skip
        case say(String)
        /// The reason is for people, with the line's number.
        case refuse(String)
    }

    /// Of the line last read, from 1, as an editor counts.
    private(set) var number = 0
    /// Lines that say something, and how many of them were refused.
    private(set) var lines = 0
    private(set) var refused = 0
    /// There is nothing after the line last read.
    private(set) var hasEnded = false
    /// Why stdin can't be read.
    private(set) var failure: String?
    private var hasToldUnheard = false

    mutating func next(_ line: LineSplitter.Line) -> Step {
        number += 1
        guard line != .text("") else { return .skip }
        lines += 1
        switch line {
        case .tooLong: return refuse("the message has over \(ChatText.maximumBytes) bytes")
        case .notUTF8: return refuse("the message is no UTF-8")
        case .text(let text): return ChatText.problem(text).map { refuse($0) } ?? .say(text)
        }
    }

    mutating func end() {
        hasEnded = true
    }

    mutating func fail(_ reason: String) {
        failure = reason
    }

    /// The server did not send the last line back. For people, the first time only: such a server never does.
    mutating func wasNotHeard() -> String? {
        defer { hasToldUnheard = true }
        return hasToldUnheard ? nil : "line \(number) was sent, but the server did not send it back; going on"
    }

    private mutating func refuse(_ reason: String) -> Step {
        refused += 1
        return .refuse("line \(number) was not sent: \(reason)")
    }
}
