import Archive
import ArgumentParser
import ChatModel
import Rendering

struct GapsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gaps",
        abstract: "List the times in which messages may be missing, and why.",
        discussion: """
            EXAMPLE: scrollback gaps classroom/lobby --since monday

            --imported adds the times that only imported logs cover: a log may have gaps of its own.
            """)

    @Argument(help: RoomSelection.roomHelp, completion: ArchiveNames.roomCompletion)
    var room: String?

    @OptionGroup var accounts: AccountsOption
    @OptionGroup var times: TimeOptions

    @Flag(help: "Include the times that only imported logs cover.")
    var imported = false

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        try selection.validate()
        _ = try times.bounds(zone: reader.zone)
    }

    func run() async throws {
        let reading = try reader.archive(cold: cold).reading()
        guard let selected = try await selection.resolve(in: reading) else {
            try reader.write([], as: listing, leftOut: reading.skipped)
            return StandardStream.note(EmptyResult.noAccounts(folder: reading.folder))
        }
        let (after, before) = try times.bounds(zone: reader.zone)
        let all = try await reading.gaps(scope: selected.scope).filter { gap in
            let isLater = if let after, let end = gap.shownTo { end > after.time } else { true }
            return isLater && before.map { gap.shownFrom < $0.time } ?? true
        }
        let shown = imported ? all : all.filter { $0.state != .imported }
        let configured = try await ConfiguredAccounts(reader.folder, reading)
        let gaps = shown.map { gap in
            var gap = gap
            gap.isConfigured = configured.has(gap.account)
            return gap
        }
        try reader.write(gaps, as: listing, leftOut: reading.skipped)
        note(shown: gaps.count, hidden: all.count - gaps.count, reading)
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
        .gaps(time: LocalTime(zone: reader.zone), now: .now())
    }
}
