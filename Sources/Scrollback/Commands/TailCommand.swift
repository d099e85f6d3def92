import Archive
import ArgumentParser
import ChatModel
import Rendering

struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Show the last messages of a room or of all rooms; with -f, follow new ones.",
        discussion: "EXAMPLE: scrollback tail -f -n 10")

    @Argument(help: RoomSelection.roomHelp, completion: ArchiveNames.roomCompletion)
    var room: String?

    @Option(
        name: .shortAndLong, help: "All rooms of an account, or ROOM in it; may be repeated.",
        completion: ArchiveNames.accountCompletion)
    var account: [String] = []

    @Flag(name: .shortAndLong, help: "Show each new message as it is stored, until interrupted.")
    var follow = false

    @OptionGroup(title: "Page") var page: PageOptions
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        try selection.validate()
        if follow { try HistoryOutput.validateFollowing(reader.format) }
    }

    func run() async throws {
        let reading = try reader.archive().reading()
        let output = HistoryOutput(reading: reading, reader: reader, page: page)
        guard let selected = try await selection.resolve(in: reading) else {
            return try output.showNothing(EmptyResult.noAccounts(folder: reading.folder))
        }
        let isAll = page.limit == .all
        let query = try page.query(
            scope: selected.scope, anchor: isAll && follow ? .after(MessageID(microseconds: .min)) : .latest)
        if follow {
            try await output.follow(query, selected: selected)
        } else if isAll {
            try await output.showAll(query, selected: selected, isPaged: false)
        } else {
            // Uses no pager, so that the newest message is directly above the prompt.
            try await output.show(query, selected: selected, isPaged: false)
        }
    }

    private var selection: RoomSelection {
        RoomSelection(room: room, accounts: account, all: room == nil && account.isEmpty)
    }
}
