import ChatModel
import Operations
import Options
import Reading
import Rendering
import Settings

struct GapsCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "gaps",
        abstract: "List the times in which messages may be missing, and why.",
        discussion: """
            EXAMPLE: scrollback gaps classroom/lobby --since monday

            --imported adds the times that only imported logs cover: a log may have gaps of its own.
            """)

    @Argument(.room)
    var room: String?

    @OptionGroup var accounts: AccountsOption
    @OptionGroup var times: TimeOptions

    @Flag(.imported)
    var imported = false

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        try asUsage { try selection.validate() }
        _ = try times.bounds(zone: reader.zone)
    }

    func run() throws {
        try reader.folder.search.checkNamedConfiguration()
        let reading = try reader.reading(cold: cold)
        let operation = GapsOperation(selection: selection, bounds: times.bounds, includesImported: imported)
        var context = reader.context
        context.configuration = { [search = reader.folder.search] in try ConfiguredAccounts(search, $0).has }
        guard let gaps = try operation.gaps(in: reading, context) else {
            try reader.write([], as: listing, leftOut: reading.skipped)
            return StandardStream.note(EmptyResult.noAccounts(folder: reading.folder))
        }
        try reader.write(gaps.shown, as: listing, leftOut: reading.skipped)
        note(shown: gaps.shown.count, hidden: gaps.hidden, reading)
    }

    private func note(shown: Int, hidden: Int, _ reading: ArchiveReading) {
        let more = hidden == 0 ? "" : "\(hidden.of("imported span")) not listed; to list them, add --imported\n"
        let none = shown == 0 ? "no gaps in \(Sanitizer.line(reading.folder))\n" : ""
        StandardStream.note(none + more)
    }

    private var selection: RoomSelection {
        accounts.selection(room: room)
    }

    private var listing: Listing<Gap> {
        Gap.listing(time: LocalTime(zone: reader.zone), now: .now())
    }
}
