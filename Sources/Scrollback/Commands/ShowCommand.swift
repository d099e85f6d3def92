import ChatModel
import Operations
import Options
import Reading
import Rendering

struct ShowCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one message with all its details: texts, times, connection, coverage, original bytes.",
        discussion: """
            EXAMPLE: scrollback show 2026-11-21T06:23:11.123456Z

            With --thread, shows the conversation that the message belongs to, as "history" shows messages.
            "history --ids" and every machine format print a message's id. csv has the columns of "history".
            """)

    @Argument(.message)
    var message: String

    @Option(.accountOfMessage)
    var account: String?

    @OptionGroup(title: "Conversation") var thread: ThreadOptions
    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        _ = try asUsage { try MessageOperation.id(message) }
        try thread.validate(zone: reader.zone)
    }

    func run() throws {
        let id = try MessageOperation.id(message)
        let reading = try reader.reading(cold: cold)
        guard thread.thread else {
            let detail = try found(reading.message(id, account: account), id, in: reading)
            return try reader.write(Rendered(output: render(detail)))
        }
        let query = try thread.operation(id, account: account).query(zone: reader.zone, now: .now())
        let conversation = try found(reading.thread(query), id, in: reading)
        let output = ThreadOutput(
            reading: reading, reader: reader, options: thread, message: message, account: account, cold: cold)
        try thread.limit == .all ? output.showAll(conversation) : output.show(conversation)
    }

    private func found<Found>(_ lookup: Lookup<Found>, _ id: MessageID, in reading: ArchiveReading) throws -> Found {
        let given = cold.given + reader.given
        return try MessageOperation.found(lookup, id, account: account, in: reading) { place in
            // The conversation of another message may have other pages.
            let own = place.id == id ? thread.given : []
            return NextCommand.line(
                ["show", place.id.description] + NextCommand.account(place.account) + own + given)
        }
    }

    private func render(_ detail: MessageDetail) -> String {
        switch reader.format {
        case .text:
            MessageDetailText(
                time: LocalTime(zone: reader.zone), style: reader.style, now: .now(), width: reader.width
            ).text(detail)
        case .json, .jsonl: JSONValue(detail).text + "\n"
        case .csv: CSV.record(HistoryRenderer.csvHeader) + CSV.record(JSONValue(detail.message))
        }
    }
}
