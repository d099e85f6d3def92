import Archive
import ArgumentParser
import ChatModel
import SearchText

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find messages by what they say, who said it, where and when; the newest first.",
        discussion: """
            EXAMPLE: scrollback search 'deploy from:alice after:2026-10 -test'

            All words have to match. "a phrase", either OR other, -not, begin*, from:NAME in:ROOM before:TIME after:TIME \
            on:TIME has:link is:edited; docs/search.md tells what matches. Of Korean, Japanese and Chinese any part of a \
            word will do.
            """)

    @Argument(parsing: .captureForPassthrough, help: "What to look for.")
    var words: [String] = []

    @Option(name: .shortAndLong, help: "Only in an account; may be repeated.")
    var account: [String] = []

    @OptionGroup(title: "Place in time") var anchors: AnchorOptions
    @OptionGroup(title: "Page") var page: PageOptions
    @OptionGroup var reader: ReaderOptions

    func run() async throws {
    }
}
