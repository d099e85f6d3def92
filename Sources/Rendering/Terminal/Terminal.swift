import Foundation

/// What stdout leads to, when that is a terminal.
package struct Terminal: Sendable {
    /// It knows no escape sequences, and can't be paged on.
    let isDumb: Bool
    /// `NO_COLOR` is set and not empty (https://no-color.org).
    let refusesColor: Bool
    /// `COLUMNS` of the environment.
    private let columns: Int?

    /// Nil when stdout leads to a file or a pipe.
    package static let standardOutput: Terminal? =
        StandardStream.output.isTerminal ? Terminal(environment: ProcessInfo.processInfo.environment) : nil

    package init(environment: [String: String]) {
        isDumb = ["", "dumb"].contains(environment["TERM", default: ""])
        refusesColor = !environment["NO_COLOR", default: ""].isEmpty
        columns = environment["COLUMNS"].flatMap { Int($0) }
    }

    /// The cells of a line, as it is now; for a terminal that does not say, `COLUMNS`, else 80.
    package func width(of stream: StandardStream = .output) -> Int {
        var window = winsize()
        let isKnown = ioctl(stream.rawValue, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
        if isKnown { return Int(window.ws_col) }
        return columns.flatMap { (1...10_000).contains($0) ? $0 : nil } ?? 80
    }
}
