import Foundation

extension ColorChoice {
    /// What it comes to for text on stdout.
    var style: Style {
        switch self {
        case .always: Style(isColored: true)
        case .never: .plain
        case .auto:
            Style(
                isColored: ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
                    && StandardStream.output.isTerminal)
        }
    }
}
