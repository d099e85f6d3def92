import Archive
import ArgumentParser
import ChatModel
import Operations
import Rendering

/// The options for the size and the look of a page of history.
struct PageOptions: ParsableArguments {
    @Option(
        name: [.customShort("n", allowingJoined: true), .customLong("limit")],
        help: ArgumentHelp("The number of messages, 1 to 1000, or all (default: 50).", valueName: "number"),
        transform: MessageLimit.init(parameter:))
    var limit: MessageLimit?

    @Option(
        help: ArgumentHelp(
            "Hide joins, leaves, renames and modes (joins), those of silent people (lurkers), or bots. Several: joins,bots.",
            valueName: "what"),
        completion: .list(HiddenMessages.Choice.allCases.map(\.rawValue)),
        transform: Self.choices)
    var hide: [Set<HiddenMessages.Choice>] = []

    @Flag(help: "Show each join and leave on its own line.")
    var unfold = false

    @Flag(
        help: "Show ids in place of times; --around and other options take them.")
    var ids = false

    @Flag(
        inversion: .prefixedNo,
        help: "One line for each message, with date and time (default: not on a terminal).")
    var oneline: Bool?

    @Option(help: "Show names as they were then, or as they are now.")
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

    var hidden: Set<HiddenMessages.Choice> { hide.reduce([]) { $0.union($1) } }

    private static func choices(_ text: String) throws -> Set<HiddenMessages.Choice> {
        guard let choices = HiddenMessages.Choice.named(text) else {
            let all = HiddenMessages.Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("use \(all), or several with commas, such as joins,bots")
        }
        return Set(choices)
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
