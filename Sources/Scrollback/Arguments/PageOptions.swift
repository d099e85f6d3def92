import ArgumentParser
import ChatModel

/// The options for the size and the look of a page of history.
struct PageOptions: ParsableArguments {
    enum Hidden: String, Sendable, CaseIterable, ExpressibleByArgument {
        case joins
    }

    @Option(
        name: [.customShort("n", allowingJoined: true), .customLong("limit")],
        help: "The number of messages (1 to 1000).")
    var limit = MessageQuery.defaultLimit

    @Option(help: ArgumentHelp("Hide joins, leaves, renames and modes.", valueName: "joins"))
    var hide: Hidden?

    @Flag(help: "Show each join and leave on its own line.")
    var unfold = false

    @Flag(
        help: "Show ids in place of times; --around and other options take them.")
    var ids = false

    @Option(help: "Show names as they were then, or as they are now.")
    var names = MessageQuery.Names.then

    func query(scope: MessageQuery.Scope, anchor: MessageQuery.Anchor) throws -> MessageQuery {
        try MessageQuery(scope: scope, anchor: anchor, limit: limit, hidesNoise: hide == .joins, names: names)
    }

    /// - Throws: ``ValidationError`` for options that a query would refuse, before anything is opened.
    func validate() throws {
        guard MessageQuery.limits.contains(limit) else {
            throw ValidationError("-n takes 1 to 1000, not \(limit); for more, use the printed cursors")
        }
    }

    var given: [String] {
        (limit == MessageQuery.defaultLimit ? [] : ["-n", String(limit)])
            + (hide == nil ? [] : ["--hide", "joins"])
            + (unfold ? ["--unfold"] : [])
            + (ids ? ["--ids"] : [])
            + (names == .then ? [] : ["--names", names.rawValue])
    }
}

extension MessageQuery.Names: ExpressibleByArgument {}
