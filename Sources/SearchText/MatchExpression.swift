/// What a query is in the language of FTS5's MATCH. All quoting is here.
///
/// What people wrote stands between double quotes, doubled inside, and asks one of the columns `text` and `chars` alone.
package enum MatchExpression: Sendable, Hashable {
    /// No condition of the index: times alone, or no query at all.
    case everything
    /// Cannot match: a sender or a room that nobody knows.
    case nothing
    case match(String)

    /// - Parameters:
    ///   - facets: further groups of facet tokens, such as the kinds to show: one of each group must match. An empty group
    ///     cannot match.
    ///   - users: the facet tokens (`u7`) of all who have or had a name; none for an unknown one.
    ///   - rooms: the facet tokens (`r12`) of the rooms that a name means.
    package init(
        _ query: SearchQuery, facets: [[String]] = [],
        users: (String) -> [String], rooms: (String) -> [String]
    ) {
        func conditions(_ terms: [Term]) -> [String] {
            terms.compactMap { Condition($0, users: users, rooms: rooms)?.text }
        }
        let wanted = query.all.map(conditions) + facets.map { [Condition(facets: $0)?.text].compactMap(\.self) }
        let unwanted = conditions(query.none)
        if wanted.contains(where: \.isEmpty) {
            self = .nothing
        } else if wanted.isEmpty, unwanted.isEmpty {
            self = .everything
        } else {
            self = .match(Self.expression(wanted: wanted, unwanted: unwanted))
        }
    }

    /// FTS5 has no NOT of one side: what is only unwanted is taken from all.
    private static func expression(wanted: [[String]], unwanted: [String]) -> String {
        let left = wanted.isEmpty ? "facets : \"all\"" : wanted.map(alternatives).joined(separator: " AND ")
        return unwanted.isEmpty ? left : "(\(left)) NOT \(alternatives(unwanted))"
    }

    private static func alternatives(_ conditions: [String]) -> String {
        "(" + conditions.joined(separator: " OR ") + ")"
    }
}
