/// The messages that a query leaves out.
package struct HiddenMessages: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// A value of `--hide`.
    package enum Choice: String, Sendable, Hashable, CaseIterable {
        /// Joins, leaves, renames and modes.
        case joins
        /// The same events of people who wrote nothing in the room within ``HiddenMessages/silence`` before or after.
        case lurkers
        /// Messages and events of bots: those with ``MessageFlags/bot``, Matrix's notices, and those of ``bots``.
        case bots

        /// Reads one name, or several with commas between them; nil if one is unknown.
        package static func named(_ text: some StringProtocol) -> [Choice]? {
            let names = text.split(separator: ",", omittingEmptySubsequences: false)
            let choices = names.compactMap { Choice(rawValue: String($0)) }
            return choices.count == names.count ? choices : nil
        }
    }

    package var choices: Set<Choice>
    /// The names that bots have in each account, and in every account under an empty name, for ``Choice/bots``; letters
    /// match as in `from:`.
    package var bots: [String: [String]] = [:]

    /// Returns the names of an account's bots.
    package func bots(of account: String) -> [String] { bots[account, default: []] + bots["", default: []] }

    /// The time for lurkers. WeeChat shows a join if its person writes within 30 minutes
    /// (`irc.look.smart_filter_join_unmask`); an archive also knows what comes after a leave's message.
    package static let silence = Duration.seconds(1800)

    package init(_ choices: some Sequence<Choice>) { self.choices = Set(choices) }

    package init(arrayLiteral choices: Choice...) { self.choices = Set(choices) }

    /// True to leave out all joins, leaves, renames and modes.
    package var hidesNoise: Bool { choices.contains(.joins) }
    /// True to leave out those of lurkers; with ``hidesNoise``, these are left out as well.
    package var hidesLurkers: Bool { choices.contains(.lurkers) && !hidesNoise }
    package var hidesBots: Bool { choices.contains(.bots) }

    /// The same, and all joins, leaves, renames and modes.
    package var withJoins: HiddenMessages {
        var hidden = self
        hidden.choices.insert(.joins)
        return hidden
    }
}
