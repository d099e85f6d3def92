import Archive
import ArgumentParser
import ChatModel
import Rendering

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one message with all its details: texts, times, connection, coverage, original bytes.",
        discussion: """
            EXAMPLE: scrollback show 2026-11-21T06:23:11.123456Z

            With --thread, shows the conversation that the message belongs to, as "history" shows messages.
            "history --ids" and every machine format print a message's id. csv has the columns of "history".
            """)

    @Argument(help: "The message's id.")
    var message: String

    @Option(
        name: .shortAndLong, help: "The account of the message; needed if several accounts have that id.",
        completion: ArchiveNames.accountCompletion)
    var account: String?

    @OptionGroup(title: "Conversation") var thread: ThreadOptions
    @OptionGroup var cold: ColdOption
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
        guard Timestamp(cursor: message) != nil else {
            throw ValidationError(
                """
                "\(Sanitizer.line(message))" is not a message id; ids look like 2026-11-21T06:23:11.123456Z, \
                and "scrollback history ROOM --ids" prints them
                """)
        }
        try thread.validate(zone: reader.zone)
    }

    func run() async throws {
        guard let time = Timestamp(cursor: message) else { return }
        let reading = try reader.archive(cold: cold).reading()
        guard thread.thread else {
            let detail = try found(await reading.message(MessageID(time), account: account), in: reading)
            return try reader.write(Rendered(output: render(detail)))
        }
        let query = try thread.query(MessageID(time), account: account, zone: reader.zone)
        let conversation = try found(await reading.thread(query), in: reading)
        let output = ThreadOutput(
            reading: reading, reader: reader, options: thread, message: message, account: account, cold: cold)
        try await thread.limit == .all ? output.showAll(conversation) : output.show(conversation)
    }

    private func found<Found>(_ lookup: Lookup<Found>, in reading: ArchiveReading) throws -> Found {
        switch lookup {
        case .found(let found): found
        case .several(let accounts): throw ambiguous(accounts)
        case .unknown(let before, let after): throw unknown(before, after, folder: reading.folder)
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

    private func ambiguous(_ accounts: [String]) -> CommandError {
        let commands = accounts.map {
            NextCommand.line(["show", message, "-a", $0] + thread.given + cold.given + reader.given)
        }
        return CommandError(
            .ambiguous, "message \(message) exists in more than one account",
            hint: "choose one: \(commands.joined(separator: ", or "))")
    }

    private func unknown(
        _ before: MessagePlace?, _ after: MessagePlace?, folder: String
    ) -> CommandError {
        let place = account.map { "account \"\(Sanitizer.line($0))\" of " } ?? ""
        let nearest = [("before", before), ("after", after)].compactMap { side, place in
            place.map { "nearest \(side): \(command($0))" }
        }
        let hint = nearest.isEmpty ? "the archive has no messages" : nearest.joined(separator: ", ")
        return CommandError(
            .unknownMessage, "no message \(message) in \(place)data folder \(Sanitizer.line(folder))", hint: hint)
    }

    private func command(_ place: MessagePlace) -> String {
        NextCommand.line(["show", place.id.description, "-a", place.account] + cold.given + reader.given)
    }
}
