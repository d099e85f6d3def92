import Archive
import ArgumentParser
import ChatModel
import SearchText

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find messages by what they say, who said it, where and when; the newest first.",
        discussion: """
            EXAMPLE: scrollback search deploy from:alice after:2026-10 -test

            All words have to match. "a phrase", either OR other, -not, begin*, from:NAME, in:ROOM, before:TIME, \
            after:TIME, on:TIME, has:link. Of Korean, Japanese and Chinese any part of a word will do. \
            docs/search.md tells what matches.
            """)

    enum Order: String, Sendable, CaseIterable, ExpressibleByArgument {
        case newest, oldest
    }

    @Argument(help: ArgumentHelp("What to look for.", valueName: "word"))
    var words: [String] = []

    @Option(
        name: .shortAndLong, help: "Only in an account; may be repeated.",
        completion: ArchiveNames.accountCompletion)
    var account: [String] = []

    @Option(help: "Which hits the first page has; a page itself is always in order of time.")
    var sort = Order.newest

    @Option(help: ArgumentHelp("Hits before a cursor, as it is printed.", valueName: "time"))
    var before: String?

    @Option(help: ArgumentHelp("Hits after a cursor, as it is printed.", valueName: "time"))
    var after: String?

    @OptionGroup(title: "Page") var page: PageOptions
    @OptionGroup var reader: ReaderOptions

    func run() async throws {
        let archive = try reader.archive()
        let times = SearchTimes(zone: reader.zone, now: .now())
        let query = SearchQuery(parsing: words.joined(separator: " "), isTime: times.isTime)
        let selection = RoomSelection(room: nil, accounts: account, all: account.isEmpty)
        let output = HistoryOutput(archive: archive, reader: reader, page: page)
        guard let selected = try await selection.resolve(in: archive) else {
            return try output.showNothing(EmptyResult.noAccounts(folder: archive.folder))
        }
        let page = try await archive.page(
            try page.query(scope: selected.scope, anchor: .latest), matching: times.scope(query))
        for message in page.messages { print(message.id, message.room, message.sender?.name ?? "", message.body ?? "") }
    }
}
