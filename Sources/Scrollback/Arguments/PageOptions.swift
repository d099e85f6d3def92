import ArgumentParser
import ChatModel

/// The options for the size and the look of a page of history.
struct PageOptions: ParsableArguments {
    enum Hidden: String, Sendable, CaseIterable, ExpressibleByArgument {
        case joins
    }

    @Option(
        name: [.customShort("n", allowingJoined: true), .customLong("limit")], help: "How many messages: 1 to 1000.")
    var limit = MessageQuery.defaultLimit

    @Option(help: ArgumentHelp("Leave out joins, leaves, renames and modes.", valueName: "joins"))
    var hide: Hidden?

    @Flag(help: "Show each join and leave; else those with nothing between them are one line of text.")
    var unfold = false

    @Flag(
        help: "Show ids, which --around and others take, in place of times; each join and leave has its own.")
    var ids = false

    @Option(help: "Names as they were then, or as they are now.")
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
