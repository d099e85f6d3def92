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

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func run() async throws {
        let archive = try reader.archive(cold: cold)
        let selection = RoomSelection(room: room, accounts: [], all: room == nil)
        guard let selected = try await selection.resolve(in: archive) else {
            try reader.write([], as: listing)
            return StandardStream.note(EmptyResult.noAccounts(folder: archive.folder))
        }
        let gaps = try await archive.gaps(scope: selected.scope)
        try reader.write(gaps, as: listing)
        if gaps.isEmpty {
            StandardStream.note("no gaps in \(Sanitizer.line(archive.folder))\n")
        }
    }

    private var listing: Listing<Gap> {
        .gaps(time: LocalTime(zone: reader.zone), now: .now())
    }
}
