import Archive
import ArgumentParser
import ChatModel
import Rendering

struct RoomsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rooms",
        abstract: "List the rooms in the archive.",
        discussion: "EXAMPLE: scrollback rooms --format jsonl")

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func run() async throws {
        let archive = try reader.archive(cold: cold)
        let rooms = try await archive.reading().rooms(countsUnread: true)
        let listing = Listing<Room>.rooms(time: LocalTime(zone: reader.zone))
        try reader.write(rooms, as: listing, leftOut: archive.skipped)
        if rooms.isEmpty {
            StandardStream.note(EmptyResult.noRooms(folder: archive.folder))
        }
    }
}
