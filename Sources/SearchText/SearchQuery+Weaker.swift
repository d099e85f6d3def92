/// Queries that match at least what another one matches.
extension SearchQuery {
    /// The query without its conditions on parts of words. Every message that matches this query matches that one.
    package var withoutWordParts: SearchQuery {
        let group = TermGroup(all: all, none: none).weaker
        var query = self
        (query.all, query.none) = (group.all, group.none)
        return query
    }
}

extension TermGroup {
    /// Conditions that a message fulfils if it fulfils these.
    fileprivate var weaker: TermGroup {
        let all = all.compactMap { terms -> [Term]? in
            let weaker = terms.compactMap(\.weaker)
            return weaker.count == terms.count ? weaker : nil
        }
        return TermGroup(all: all, none: none.compactMap(\.stronger))
    }

    /// Conditions that only messages fulfil that fulfil these; nil if no message does.
    fileprivate var stronger: TermGroup? {
        let (all, none) = (all.map { $0.compactMap(\.stronger) }, none.compactMap(\.weaker))
        guard !all.contains(where: \.isEmpty), none.count == self.none.count else { return nil }
        return TermGroup(all: all, none: none)
    }
}

extension Term {
    /// - Returns: Nil for a condition that every message fulfils.
    fileprivate var weaker: Term? {
        guard case .group(let group) = self else { return wordParts.isEmpty ? self : nil }
        return group.weaker.isEmpty ? nil : .group(group.weaker)
    }

    /// - Returns: Nil for a condition that no message fulfils.
    fileprivate var stronger: Term? {
        guard case .group(let group) = self else { return wordParts.isEmpty ? self : nil }
        return group.stronger.map(Term.group)
    }
}
