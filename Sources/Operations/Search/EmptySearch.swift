package import ChatModel
package import Reading
import Rendering
import SearchText

/// The reasons for an empty result: an unknown name, a condition without which there are hits, or time without
/// coverage.
package struct EmptySearch: Sendable {
    let reading: ArchiveReading
    let query: MessageQuery
    let search: SearchScope
    /// True if the hits had to match a regular expression as well.
    let hasExpression: Bool
    /// The gaps in the searched time and rooms.
    let gaps: [Gap]

    package init(
        reading: ArchiveReading, query: MessageQuery, search: SearchScope, hasExpression: Bool, gaps: [Gap]
    ) {
        (self.reading, self.query, self.search) = (reading, query, search)
        (self.hasExpression, self.gaps) = (hasExpression, gaps)
    }

    /// Returns at most `limit` reasons, one a line and safe for a terminal; empty if none is known. The last one is the
    /// number of gaps, if there are any.
    package func reasons(limit: Int) throws -> [String] {
        let lines = GapText.count(gaps, in: "the searched time and rooms")
        let last = lines.isEmpty ? [] : [String(lines.dropLast())]
        return try reasonsOfQuery().prefix(max(0, limit - last.count)) + last
    }

    private func reasonsOfQuery() throws -> [String] {
        var reasons: [String] = []
        for term in search.query.wanted {
            switch term {
            case .from(let name) where try isUnknown(term):
                reasons.append(try unknownSender(name))
            case .fromPrefix(let name) where try isUnknown(term):
                reasons.append(
                    "no messages from anyone whose name begins with \(quoted(name))\(try containing(name))")
            case .room(let name) where try isUnknown(term):
                reasons.append("no messages in a room named \(quoted(name))")
            default: break
            }
        }
        guard reasons.isEmpty else { return reasons }
        return try conditionsTooMany()
    }

    /// Words for "I" that people write in place of `from:me`, in the form of ``RoomArgument/fold(_:)``.
    private static let wordsForMe: Set = ["i", "myself", "나", "저", "私", "僕", "俺", "我", "ich", "ik", "yo", "moi", "я"]

    private func unknownSender(_ name: String) throws -> String {
        let folded = RoomArgument.fold(name)
        if folded == "me", let isOwnerKnown = try reading.search.hasOwnPerson(query.scope) {
            return isOwnerKnown ? "no messages from you" : unknownOwner
        }
        if Self.wordsForMe.contains(folded), try reading.search.hasOwnPerson(query.scope) == true {
            return "no messages from anyone named \(quoted(name)); your own messages: from:me"
        }
        let bridged = try reading.search.bridged(query.scope)
        if let example = bridged.people.min(), bridged.bots.contains(where: { RoomArgument.fold($0) == folded }) {
            return
                "no messages from \(quoted(name)) itself: it is the bot of a bridge, which shows its messages as those of "
                + "their writers, such as \(Sanitizer.line(Term.from(example).written))"
        }
        let nearest =
            name.hasSuffix(BridgeKey.sign)
            ? question(NearNames.names(for: name, among: bridged.people)) : try nearest(to: name)
        return "no messages from anyone named \(quoted(name))\(nearest)"
    }

    private var unknownOwner: String {
        let accounts = query.scope.accounts
        guard accounts.count == 1 else {
            return "no searched account says who you are; to name yourself: scrollback archive me ACCOUNT NAME"
        }
        return "account \(quoted(accounts[0])) does not say who you are; to name yourself: "
            + NextCommand.line(["archive", "me", accounts[0], "NAME"])
    }

    /// Returns a suggestion for a name that no user has or had; empty if there is none.
    private func nearest(to name: String) throws -> String {
        let names = try reading.search.userNames(query.scope)
        let folded = RoomArgument.fold(name)
        guard !names.contains(where: { RoomArgument.fold($0) == folded }) else { return "" }
        return question(NearNames.names(for: name, among: names))
    }

    /// Returns the names that have the beginning of a name in them; empty if there is none.
    private func containing(_ beginning: String) throws -> String {
        question(NearNames.containing(beginning, among: try reading.search.userNames(query.scope)))
    }

    private func question(_ names: [String]) -> String {
        let question = NearNames.question(proposing: names) { Sanitizer.line(Term.from($0).written) }
        return question.map { "; \($0)" } ?? ""
    }

    private func isUnknown(_ term: Term) throws -> Bool {
        try !hasHits(SearchScope(query: SearchQuery(all: [[term]]), rooms: search.rooms))
    }

    /// Returns a sentence for each condition without which there would be hits.
    private func conditionsTooMany() throws -> [String] {
        if hasExpression, try hasHits(search) { return ["there are matches without the regular expression"] }
        if search.query.hasExactLetters, try hasHits(search) { return ["there are matches in other spellings"] }
        var reasons: [String] = []
        if search.after != nil || search.before != nil,
            try hasHits(SearchScope(query: search.query, rooms: search.rooms))
        {
            reasons.append("there are matches outside that time range")
        }
        guard search.query.all.count > 1 else { return reasons }
        for (index, group) in search.query.all.enumerated() {
            var wider = search
            wider.query.all.remove(at: index)
            if try hasHits(wider) {
                reasons.append("there are matches without \(Sanitizer.value(TermGroup(all: [group]).written))")
            }
        }
        return reasons
    }

    private func hasHits(_ search: SearchScope) throws -> Bool {
        // Skips a part that too many words have.
        do {
            return try !reading.page(try query.with(anchor: .latest, limit: 1), matching: search).messages.isEmpty
        } catch is TooManyWords {
            return false
        }
    }

    private func quoted(_ name: String) -> String {
        "\"\(Sanitizer.value(name))\""
    }
}
