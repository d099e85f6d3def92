import Archive
import ArgumentParser
import ChatModel
import Foundation

/// What every command that reads takes.
struct ReaderOptions: ParsableArguments {
    @OptionGroup(title: "Where") var folder: FolderOptions

    @Option(help: "How to write the answer.")
    var format = OutputFormat.text

    @Flag(help: "Read and show times in UTC instead of the local zone (TZ).")
    var utc = false

    @Option(help: "Colour text; NO_COLOR in the environment turns auto off.")
    var color = ColorChoice.auto

    var zone: TimeZone {
        utc ? .gmt : .current
    }

    var style: Style {
        let isColored =
            switch color {
            case .always: true
            case .never: false
            case .auto:
                ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
                    && StandardStream.output.isTerminal
            }
        return Style(isColored: isColored && format == .text)
    }

    func archive() throws -> Archive {
        Archive(folder: try folder.resolve()) { error in
            StandardStream.note("scrollback: left out: \(Sanitizer.line(error.detail))\n")
        }
    }

    /// The options as they were given, for a command to go on with.
    var given: [String] {
        folder.given
            + (format == .text ? [] : ["--format", format.rawValue])
            + (utc ? ["--utc"] : [])
            + (color == .auto ? [] : ["--color", color.rawValue])
    }
}
