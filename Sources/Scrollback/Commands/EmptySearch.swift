import Archive
import ChatModel
import Rendering
import SearchText

/// The reasons for an empty result: an unknown name, a condition without which there are hits, or time without
/// coverage.
struct EmptySearch: Sendable {
    let reading: ArchiveReading
    let query: MessageQuery
    let search: SearchScope
    /// True if the hits had to match a regular expression as well.
    let hasExpression: Bool
    /// The gaps in the searched time and rooms.
    let gaps: [Gap]

    /// Returns the reasons, one a line and safe for a terminal; empty if none is known.
    func reasons() async throws -> [String] {
        let reasons = try await reasonsOfQuery()
        let lines = GapText.count(gaps, in: "the searched time and rooms")
        return lines.isEmpty ? reasons : reasons + [String(lines.dropLast())]
    }

    private func reasonsOfQuery() async throws -> [String] {
        var reasons: [String] = []
        for term in search.query.all.joined() {
            switch term {
            case .from(let name) where try await isUnknown(term):
                reasons.append("no messages from anyone named \(quoted(name))")
            case .room(let name) where try await isUnknown(term):
                reasons.append("no messages in a room named \(quoted(name))")
            default: break
            }
        }
        guard reasons.isEmpty else { return reasons }
        return try await conditionsTooMany()
    }

    private func isUnknown(_ term: Term) async throws -> Bool {
        try await !hasHits(SearchScope(query: SearchQuery(all: [[term]]), rooms: search.rooms))
    }

    /// Returns a sentence for each condition without which there would be hits.
    private func conditionsTooMany() async throws -> [String] {
        if hasExpression, try await hasHits(search) { return ["there are matches without the regular expression"] }
        var reasons: [String] = []
        if search.after != nil || search.before != nil,
            try await hasHits(SearchScope(query: search.query, rooms: search.rooms))
        {
            reasons.append("there are matches outside that time range")
        }
        guard search.query.all.count > 1 else { return reasons }
        for (index, group) in search.query.all.enumerated() {
            var wider = search
            wider.query.all.remove(at: index)
            if try await hasHits(wider) {
                let words = group.map { Sanitizer.line($0.written) }.joined(separator: " OR ")
                reasons.append("there are matches without \(words)")
            }
        }
        return reasons
    }

    private func hasHits(_ search: SearchScope) async throws -> Bool {
        try await !reading.page(try query.with(anchor: .latest, limit: 1), matching: search).messages.isEmpty
    }

    private func quoted(_ name: String) -> String {
        "\"\(Sanitizer.line(name))\""
    }
}

extension Term {
    /// The condition in the form of a query.
    fileprivate var written: String {
        switch self {
        case .word(let text): text
        case .phrase(let text): "\"\(text)\""
        case .prefix(let text): "\(text)*"
        case .from(let name): "from:\(name)"
        case .room(let name): "in:\(name)"
        case .has(let what): "has:\(what.rawValue)"
        case .is(let state): "is:\(state.rawValue)"
        }
    }
}
