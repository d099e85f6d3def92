import FoundationEssentials
import Glibc

/// The terminal to which a standard stream is connected.
package struct Terminal: Sendable {
    /// True if the terminal has no escape sequences, so that a pager can't run.
    let isDumb: Bool
    /// True if `NO_COLOR` is set and not empty (https://no-color.org).
    let refusesColor: Bool
    /// The value of `COLUMNS`.
    private let columns: Int?

    /// The terminal on stdout; nil if stdout is a file or a pipe.
    package static let standardOutput: Terminal? =
        StandardStream.output.isTerminal ? Terminal(environment: ProcessInfo.processInfo.environment) : nil

    package init(environment: [String: String]) {
        isDumb = ["", "dumb"].contains(environment["TERM", default: ""])
        refusesColor = !environment["NO_COLOR", default: ""].isEmpty
        columns = environment["COLUMNS"].flatMap { Int($0) }
    }

    /// True if the terminal has the escape sequences of a full screen.
    package var hasFullScreen: Bool { !isDumb }

    /// Returns the present width of a line in cells. If the terminal does not report it, returns `COLUMNS` (1 to
    /// 10,000), or else 80.
    package func width(of stream: StandardStream = .output) -> Int {
        var window = winsize()
        let isKnown = ioctl(stream.rawValue, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
        if isKnown { return Int(window.ws_col) }
        return columns.flatMap { (1...10_000).contains($0) ? $0 : nil } ?? 80
    }

    /// Returns the present number of lines; 24 if the terminal does not report it.
    package func height(of stream: StandardStream = .output) -> Int {
        var window = winsize()
        let isKnown = ioctl(stream.rawValue, UInt(TIOCGWINSZ), &window) == 0 && window.ws_row > 0
        return isKnown ? Int(window.ws_row) : 24
    }
}
