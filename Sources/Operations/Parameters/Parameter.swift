import ChatModel

/// A parameter of an operation, named as the long option of the command.
package struct Parameter: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case text
        /// A cursor, a date or a phrase that ``TimePhrase`` reads.
        case time
        /// True for `1`; false for `0` and for a missing parameter.
        case flag
        case number(ClosedRange<Int>)
        case choice([String])
        /// One of these, or several with commas between them.
        case choices([String])
    }

    package var name: String
    package var kind: Kind
    /// True if the parameter may occur several times.
    package var isRepeated: Bool
    package var help: String

    package init(_ name: String, _ kind: Kind, isRepeated: Bool = false, _ help: String) {
        (self.name, self.kind, self.isRepeated, self.help) = (name, kind, isRepeated, help)
    }

    /// Makes a choice among the cases of a type.
    package static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, of type: Choice.Type, _ help: String
    ) -> Parameter {
        Parameter(name, .choice(type.allCases.map(\.rawValue)), help)
    }
}

extension Parameter {
    /// Returns the regular expression of ``Kind/choices(_:)``.
    package static func pattern(of choices: [String]) -> String {
        let one = "(\(choices.joined(separator: "|")))"
        return "^\(one)(,\(one))*$"
    }

    package static let room = Parameter("room", .text, "A room: NAME, ACCOUNT/NAME, id or a unique part of the name.")
    package static let accounts = Parameter("account", .text, isRepeated: true, "Only this account; may be repeated.")
    package static let after = Parameter("after", .time, "Only from this time on, or after this cursor.")
    package static let before = Parameter("before", .time, "Only before this time or cursor.")
    static let limit = Parameter("limit", .number(1...1000), "The number of messages (default 50).")
    /// The parameter to read times without a zone in UTC. Without it, they are read in the server's zone.
    static let utc = Parameter("utc", .flag, "Read times without a zone in UTC (default: the server's zone).")
    package static let cold = Parameter("cold", .flag, "Include compressed accounts.")
    static let hide = Parameter(
        "hide", .choices(HiddenMessages.Choice.allCases.map(\.rawValue)), isRepeated: true,
        "Hide joins, leaves, renames and modes (joins), those of silent people (lurkers), or bots. Several: joins,bots."
    )
    package static let names = choice(
        "names", of: MessageQuery.Names.self, "Show names as they were then, or as they are now (default then).")

    /// The parameters that every operation has.
    package static let everywhere = [utc]
}
