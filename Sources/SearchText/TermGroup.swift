/// Conditions that a message must fulfil together: a query, or a part of it in parentheses.
package struct TermGroup: Sendable, Hashable {
    /// Lists of alternatives: any term of each list must match. No list is empty.
    package var all: [[Term]]
    /// Terms of which none may match.
    package var none: [Term]

    package init(all: [[Term]] = [], none: [Term] = []) {
        (self.all, self.none) = (all, none)
    }

    package var isEmpty: Bool { all.isEmpty && none.isEmpty }

    /// Every term, those of inner groups in place of the groups.
    package var leaves: [Term] {
        all.joined().flatMap(\.leaves) + none.flatMap(\.leaves)
    }

    /// The terms that may be the reason for a match, those of inner groups in place of the groups.
    package var wanted: [Term] {
        all.joined().flatMap { term in if case .group(let group) = term { group.wanted } else { [term] } }
    }
}

extension TermGroup {
    /// The conditions that an index can decide, which every match fulfils. An index finds an ``Term/exact(_:)`` phrase in
    /// every spelling, so it can't exclude one.
    var indexed: TermGroup {
        func indexed(_ term: Term) -> Term { if case .group(let group) = term { .group(group.indexed) } else { term } }
        return TermGroup(
            all: all.map { $0.map(indexed) }, none: none.filter { !$0.leaves.contains(where: \.isExact) })
    }
}

extension Term {
    fileprivate var leaves: [Term] {
        if case .group(let group) = self { group.leaves } else { [self] }
    }
}
