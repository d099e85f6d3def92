import ChatModel
package import Options

/// The parameters of operations, named as the long options of the commands.
extension Parameter {
    /// Returns the regular expression of ``Kind/choices(_:)``.
    package static func pattern(of choices: [String]) -> String {
        let one = "(\(choices.joined(separator: "|")))"
        return "^\(one)(,\(one))*$"
    }

    package static let room = Parameter(
        "room", .text,
        "A room: NAME, ACCOUNT/NAME, id or a unique part of the name. Quote # in a shell, or leave it out.",
        requestHelp: "A room: NAME, ACCOUNT/NAME, id or a unique part of the name.", completion: .rooms)
    package static let accounts = Parameter(
        "account", .text, short: "a", isRepeated: true, "Only this account; may be repeated.", completion: .accounts)
    /// The accounts beside ``room``.
    package static let accountsOfRoom = Parameter(
        "account", .text, short: "a", isRepeated: true, "All rooms of an account, or ROOM in it; may be repeated.",
        requestHelp: accounts.help, completion: .accounts)
    package static let after = Parameter(
        "after", .time, aliases: ["since"], valueName: "time", "Only from this time on, or after this cursor.")
    package static let before = Parameter(
        "before", .time, aliases: ["until"], valueName: "time", "Only before this time or cursor.")
    package static let limit = Parameter(
        "limit", .number(1...1000), short: "n", valueName: "number",
        "The number of messages, 1 to 1000, or all (default: 50).", requestHelp: "The number of messages (default 50).")
    /// The parameter to read times without a zone in UTC. Without it, a server reads them in its own zone.
    package static let utc = Parameter(
        "utc", .flag, "Read and show times in UTC (default: the local zone, TZ).",
        requestHelp: "Read times without a zone in UTC (default: the server's zone).")
    package static let cold = Parameter(
        "cold", .flag, "Include compressed accounts; reads them from temporary copies in TMPDIR.",
        requestHelp: "Include compressed accounts.")
    package static let hide = Parameter(
        "hide", .choices(HiddenMessages.Choice.allCases.map(\.rawValue)), isRepeated: true, valueName: "what",
        "Hide joins, leaves, renames and modes (joins), those of silent people (lurkers), or bots. Several: joins,bots.",
        completion: .list(HiddenMessages.Choice.allCases.map(\.rawValue)))
    package static let names = choice(
        "names", of: MessageQuery.Names.self, "Show names as they were then, or as they are now.",
        requestHelp: "Show names as they were then, or as they are now (default then).")

    /// The parameters that every operation has.
    package static let everywhere = [utc]
}
