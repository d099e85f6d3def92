import ChatModel
import Operations
import Options
import Reading
import Rendering

struct StatsCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count messages by day, hour, person and room.",
        discussion: """
            EXAMPLE: scrollback stats classroom/lobby --after 2026

            Joins, leaves, renames and modes don't count. To count the hits of a search: scrollback search WORD --by month
            To count by hour and person together: scrollback search --by hour,user
            """)

    @Argument(.room)
    var room: String?

    @Option(.accountsOfRoom)
    var account: [String] = []

    @OptionGroup var times: TimeOptions

    @Option(.people, transform: MessageLimit.init(parameter:))
    var limit = MessageLimit.count(StatisticsOperation.defaultLimit)

    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        try asUsage { try selection.validate() }
        _ = try times.bounds(zone: reader.zone)
    }

    func run() throws {
        let reading = try reader.reading(cold: cold)
        let operation = StatisticsOperation(selection: selection, bounds: times.bounds, limit: limit.count)
        guard let statistics = try operation.statistics(in: reading, reader.context) else {
            try write(Statistics(), skipped: reading.skipped)
            return StandardStream.note(EmptyResult.noAccounts(folder: reading.folder))
        }
        try write(statistics, skipped: reading.skipped)
        if statistics.messages == 0 { StandardStream.note(EmptyResult.noMessages(folder: reading.folder)) }
    }

    private func write(_ statistics: Statistics, skipped: [SkippedAccount]) throws {
        let output =
            reader.format == .text
            ? StatisticsText(
                time: LocalTime(zone: reader.zone), style: reader.style, limit: limit.count, width: reader.width
            ).text(statistics)
            : statistics.render(reader.format, limit: limit.count, skipped: skipped)
        try reader.write(Rendered(output: output))
    }

    private var selection: RoomSelection {
        RoomSelection(room: room, accounts: account)
    }
}
