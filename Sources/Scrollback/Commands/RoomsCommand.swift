import ChatModel
import Operations
import Options
import Reading
import Rendering

struct RoomsCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rooms",
        abstract: "List the rooms in the archive.",
        discussion: """
            EXAMPLE: scrollback rooms --sort last

            A wide terminal shows the last message of each room as well.
            """)

    @OptionGroup var accounts: AccountsOption

    @Option(.roomOrder)
    var sort = RoomsOperation.Order.name

    @Option(.roomKind)
    var kind: RoomReference.Kind?

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func run() throws {
        let reading = try reader.reading(cold: cold)
        let operation = RoomsOperation(accounts: accounts.account, order: sort, kind: kind)
        let (rooms, all) = try operation.rooms(in: reading)
        let listing = Room.listing(time: LocalTime(zone: reader.zone))
        try reader.write(rooms, as: listing, leftOut: reading.skipped)
        if all == 0 {
            StandardStream.note(EmptyResult.noRooms(folder: reading.folder, hasSkipped: !reading.skipped.isEmpty))
        } else if rooms.isEmpty, let kind {
            StandardStream.note("no rooms of kind \(kind.rawValue) in \(Sanitizer.line(reading.folder))\n")
        }
    }
}
