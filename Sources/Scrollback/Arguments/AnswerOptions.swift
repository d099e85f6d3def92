import ChatModel
import Options
import Rendering

/// The options of a command whose answer for people is some lines on stderr.
struct AnswerOptions: ParsableArguments {
    @Option("format", help: "The output format; text: lines for people, on stderr.")
    var format = OutputFormat.text

    /// Writes a line for people; nothing in a machine format.
    func note(_ text: String) {
        if format == .text { StandardStream.note(text) }
    }

    /// Writes a list in a machine format; nothing in `text`.
    func write<Element>(_ elements: [Element], as listing: Listing<Element>, leftOut: [SkippedAccount] = []) throws {
        guard format != .text else { return }
        try StandardStream.output.write(listing.render(elements, leftOut: leftOut, format: format))
    }
}
