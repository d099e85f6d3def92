/// A query in the language of FTS5's MATCH, with all quoting.
///
/// People's text is between double quotes, with inner quotes doubled, and searches only the column `text` or `chars`.
package enum MatchExpression: Sendable, Hashable {
    /// The query has no condition for the index: only times, or nothing.
    case everything
    /// Nothing can match: for instance, no sender or room has the name.
    case nothing
    /// The operand of `MATCH`.
    case match(String)

    /// Translates a query.
    ///
    /// - Parameters:
    ///   - facets: Further groups of facet tokens, such as the kinds to show. One token of each group must match. An
    ///     empty group can't match.
    ///   - users: Returns the facet tokens (`u7`) of all users who have or had the name of a term; none for an unknown
    ///     name.
    ///   - rooms: Returns the facet tokens (`r12`) of the rooms with a name.
    package init(
        _ query: SearchQuery, facets: [[String]] = [],
        users: (Term) -> [String], rooms: (String) -> [String]
    ) {
        self.init(TermGroup(all: query.all, none: query.none), facets: facets, users: users, rooms: rooms)
    }

    init(
        _ group: TermGroup, facets: [[String]] = [], users: (Term) -> [String], rooms: (String) -> [String]
    ) {
        func conditions(_ terms: [Term]) -> [String] {
            terms.compactMap { Condition($0, users: users, rooms: rooms)?.text }
        }
        let wanted = group.all.map(conditions) + facets.map { [Condition(facets: $0)?.text].compactMap(\.self) }
        let unwanted = conditions(group.none)
        if wanted.contains(where: \.isEmpty) {
            self = .nothing
        } else if wanted.isEmpty, unwanted.isEmpty {
            self = .everything
        } else {
            self = .match(Self.expression(wanted: wanted, unwanted: unwanted))
        }
    }

    /// The expression that every message matches.
    static let all = "facets : \"all\""

    /// Returns the expression. FTS5 has no NOT with one operand, so a query of unwanted terms alone subtracts them from
    /// all messages.
    private static func expression(wanted: [[String]], unwanted: [String]) -> String {
        let left = wanted.isEmpty ? all : wanted.map(alternatives).joined(separator: " AND ")
        return unwanted.isEmpty ? left : "(\(left)) NOT \(alternatives(unwanted))"
    }

    private static func alternatives(_ conditions: [String]) -> String {
        "(" + conditions.joined(separator: " OR ") + ")"
    }
}
