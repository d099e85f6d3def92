import Archive
import ArgumentParser
import ChatModel
import Rendering

struct GapsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gaps",
        abstract: "List the times in which messages may be missing, and why.",
        discussion: "EXAMPLE: scrollback gaps classroom/lobby")

    @Argument(help: RoomSelection.roomHelp, completion: ArchiveNames.roomCompletion)
    var room: String?

    @Option(
        name: .shortAndLong, help: "All rooms of an account, or ROOM in it; may be repeated.",
        completion: ArchiveNames.accountCompletion)
    var account: [String] = []

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        try selection.validate()
    }

    func run() async throws {
        let reading = try reader.archive(cold: cold).reading()
        guard let selected = try await selection.resolve(in: reading) else {
            try reader.write([], as: listing, leftOut: reading.skipped)
            return StandardStream.note(EmptyResult.noAccounts(folder: reading.folder))
        }
        let gaps = try await reading.gaps(scope: selected.scope)
        try reader.write(gaps, as: listing, leftOut: reading.skipped)
        if gaps.isEmpty {
            StandardStream.note("no gaps in \(Sanitizer.line(reading.folder))\n")
        }
    }

    private var selection: RoomSelection {
        RoomSelection(room: room, accounts: account, all: room == nil && account.isEmpty)
    }

    private var listing: Listing<Gap> {
        .gaps(time: LocalTime(zone: reader.zone), now: .now())
    }
}
