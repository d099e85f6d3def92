import ChatModel
import Operations
import Options
import Reading
import Rendering

/// The options for the size and the look of a page of history.
struct PageOptions: ParsableArguments {
    @Option(.limit, transform: MessageLimit.init(parameter:))
    var limit: MessageLimit?

    @Option(.hide, transform: Self.choices)
    var hide: [[HiddenMessages.Choice]] = []

    @Flag("unfold", help: "Show each join and leave on its own line.")
    var unfold = false

    @Flag("ids", help: "Show ids in place of times; --around and other options take them.")
    var ids = false

    @Flag(
        "oneline", inversion: .prefixedNo,
        help: "One line for each message, with date and time (default: not on a terminal).")
    var oneline: Bool?

    @Option(.names)
    var names = MessageQuery.Names.then

    func history(_ selection: RoomSelection, _ place: TimePlace) -> HistoryOperation {
        HistoryOperation(
            selection: selection, place: place, limit: limit?.page ?? MessageQuery.defaultLimit,
            hides: hidden, names: names)
    }

    func query(
        scope: MessageQuery.Scope, anchor: MessageQuery.Anchor, in reading: ArchiveReading, _ context: OperationContext
    ) throws -> MessageQuery {
        try MessageQuery(
            scope: scope, anchor: anchor, limit: limit?.page ?? MessageQuery.defaultLimit,
            hidden: context.hidden(hidden, in: reading), names: names)
    }

    var hidden: Set<HiddenMessages.Choice> { Set(hide.joined()) }

    private static func choices(_ text: String) throws -> [HiddenMessages.Choice] {
        guard let choices = HiddenMessages.Choice.named(text) else {
            let all = HiddenMessages.Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("use \(all), or several with commas, such as joins,bots")
        }
        return choices
    }

    /// True for text with one line for each message.
    var isOneLine: Bool { oneline ?? (Terminal.standardOutput == nil) }

    var given: [String] {
        let hidden = hidden.map(\.rawValue).sorted().joined(separator: ",")
        return (limit.map { ["-n", $0.description] } ?? []) + (hidden.isEmpty ? [] : ["--hide", hidden])
            + (unfold ? ["--unfold"] : [])
            + (ids ? ["--ids"] : [])
            + (oneline.map { [$0 ? "--oneline" : "--no-oneline"] } ?? [])
            + (names == .then ? [] : ["--names", names.rawValue])
    }
}
