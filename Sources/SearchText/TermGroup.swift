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

extension Term {
    fileprivate var leaves: [Term] {
        if case .group(let group) = self { group.leaves } else { [self] }
    }
}
