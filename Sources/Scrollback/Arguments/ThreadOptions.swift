import ChatModel
import Operations
import Options
import Rendering

/// The options of `show` for the conversation of a message.
struct ThreadOptions: ParsableArguments {
    @Flag("thread", help: "Show the whole conversation: the first message, all replies, and their replies.")
    var thread = false

    @Option(.threadLimit, transform: MessageLimit.init(parameter:))
    var limit: MessageLimit?

    @Option(.threadAfter)
    var after: String?

    @Option(.threadBefore)
    var before: String?

    @Flag("ids", help: "Show ids in place of times.")
    var ids = false

    @Flag(
        "oneline", inversion: .prefixedNo,
        help: "One line for each message, with date and time (default: not on a terminal).")
    var oneline: Bool?

    @Option(.threadNames)
    var names: MessageQuery.Names?

    /// - Throws: ``ValidationError`` for options that need `--thread` or can't be combined.
    func validate(zone: Zone) throws {
        let given = [
            limit.map { _ in "-n" }, after.map { _ in "--after" }, before.map { _ in "--before" },
            ids ? "--ids" : nil, oneline.map { _ in "--oneline" }, names.map { _ in "--names" },
        ].compactMap(\.self)
        guard thread || given.isEmpty else {
            throw ValidationError("\(given.joined(separator: ", ")) needs --thread")
        }
        guard limit != .all || (after == nil && before == nil) else {
            throw ValidationError("-n all shows every message; remove --after and --before, or give a number")
        }
        _ = try asUsage { try bounds.ids(zone: zone) }
    }

    func operation(_ message: MessageID, account: String?) -> ThreadOperation {
        ThreadOperation(
            message: message, account: account, bounds: bounds, limit: limit?.page ?? ThreadQuery.defaultLimit,
            names: names ?? .then)
    }

    var bounds: TimeBounds { TimeBounds(after: after, before: before) }

    /// True for text with one line for each message.
    var isOneLine: Bool { oneline ?? (Terminal.standardOutput == nil) }

    /// The options as given, to repeat in a suggested command.
    var given: [String] {
        (thread ? ["--thread"] : [])
            + (limit.map { ["-n", $0.description] } ?? [])
            + (ids ? ["--ids"] : [])
            + (oneline.map { [$0 ? "--oneline" : "--no-oneline"] } ?? [])
            + (names.map { ["--names", $0.rawValue] } ?? [])
    }
}
