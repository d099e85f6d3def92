import Archive
import ChatModel
import SearchText

/// Why nothing was found: a name that nobody has, or a condition too many.
struct EmptySearch: Sendable {
    let archive: Archive
    let query: MessageQuery
    let search: SearchScope

    /// One reason a line, each made safe; empty where none can be told.
    func reasons() async throws -> [String] {
        var reasons: [String] = []
        for term in search.query.all.joined() {
            switch term {
            case .from(let name) where try await isUnknown(term):
                reasons.append("nothing was said by anybody called \(quoted(name))")
            case .room(let name) where try await isUnknown(term):
                reasons.append("nothing was said in a room called \(quoted(name))")
            default: break
            }
        }
        guard reasons.isEmpty else { return reasons }
        return try await conditionsTooMany()
    }

    private func isUnknown(_ term: Term) async throws -> Bool {
        try await !hasHits(SearchScope(query: SearchQuery(all: [[term]])))
    }

    /// Those without which something would be found.
    private func conditionsTooMany() async throws -> [String] {
        var reasons: [String] = []
        if search.after != nil || search.before != nil, try await hasHits(SearchScope(query: search.query)) {
            reasons.append("there is something at another time")
        }
        guard search.query.all.count > 1 else { return reasons }
        for (index, group) in search.query.all.enumerated() {
            var wider = search
            wider.query.all.remove(at: index)
            if try await hasHits(wider) {
                let words = group.map { Sanitizer.line($0.written) }.joined(separator: " OR ")
                reasons.append("there is something without \(words)")
            }
        }
        return reasons
    }

    private func hasHits(_ search: SearchScope) async throws -> Bool {
        try await !archive.page(try query.with(anchor: .latest, limit: 1), matching: search).messages.isEmpty
    }

    private func quoted(_ name: String) -> String {
        "\"\(Sanitizer.line(name))\""
    }
}

extension Term {
    /// As one would write it.
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
