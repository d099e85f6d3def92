package import ChatModel
import Foundation
import GRDB
package import SearchText

/// A query and the time that it searches.
package struct SearchScope: Sendable {
    /// The words and filters.
    package var query: SearchQuery
    /// The exclusive lower bound of the hits; nil for none.
    package var after: MessageID?
    /// The exclusive upper bound of the hits; nil for none.
    package var before: MessageID?
    /// The rooms that each name of `in:` means; a name without an entry means none.
    package var rooms: [String: [NamedRoom]]

    package init(
        query: SearchQuery, after: MessageID? = nil, before: MessageID? = nil, rooms: [String: [NamedRoom]] = [:]
    ) {
        (self.query, self.after, self.before, self.rooms) = (query, after, before, rooms)
    }

    /// Returns the query of one account's index.
    func hits(scope: MessageQuery.Scope, of account: AccountIdentity, _ db: Database) throws -> SearchHits {
        let users = try senders(db)
        let expression = MatchExpression(
            query, facets: scope.rooms(of: account.name).map { [Self.facets($0)] } ?? [],
            users: { users[$0] ?? [] },
            rooms: { name in
                Self.facets((rooms[name] ?? []).filter { $0.account == account.name }.map(\.id))
            })
        return SearchHits(expression, after: after?.microseconds, before: before?.microseconds)
    }

    /// Returns the facets of rooms in the search index.
    private static func facets(_ rooms: [Int64]) -> [String] {
        rooms.sorted().map { "r\($0)" }
    }

    /// Returns true if the gap could contain hits, because it overlaps the searched time and rooms.
    func looksInto(_ gap: Gap) -> Bool {
        let (from, to) = (gap.from.microseconds, gap.to?.microseconds ?? .max)
        return from < (before?.microseconds ?? .max) && to > (after?.microseconds ?? .min)
            && query.all.allSatisfy { $0.contains { isMeant(gap, by: $0) ?? true } }
            && !query.none.contains { isMeant(gap, by: $0) ?? false }
    }

    /// Returns true if the gap's room fulfils the term; nil for a term that does not name a room.
    private func isMeant(_ gap: Gap, by term: Term) -> Bool? {
        guard case .room(let name) = term else { return nil }
        return (rooms[name] ?? []).contains { $0.account == gap.account && $0.name == gap.room }
    }

    /// Returns, for each name of `from:`, the facets of all users who have or had it; case and composition don't
    /// matter.
    ///
    /// An index finds ASCII names only. Each other name is compared, which takes 0.4 µs *(measured)*.
    private func senders(_ db: Database) throws -> [String: [String]] {
        let names = Set((query.all.joined() + query.none).compactMap(\.sender))
        guard !names.isEmpty else { return [:] }
        let wanted = names.map { (name: $0, folded: $0.lowercased().precomposedStringWithCanonicalMapping) }
        var found: [String: [String]] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT user_id, name FROM user_name
                WHERE name COLLATE NOCASE IN (\(databaseQuestionMarks(count: wanted.count)))
                UNION
                SELECT user_id, name FROM user_name WHERE length(name) <> length(CAST(name AS BLOB))
                """,
            arguments: StatementArguments(wanted.map(\.folded)))
        while let row = try rows.next() {
            let (id, name): (Int64, String) = try (row.value(0), row.value(1))
            let folded = name.lowercased()
            for wanted in wanted where wanted.folded == folded { found[wanted.name, default: []].append("u\(id)") }
        }
        return found
    }
}

/// The rows from which a page of hits is read.
struct SearchHits: Sendable {
    /// The argument of MATCH.
    let match: String
    /// The exclusive bounds, in microseconds since 1970.
    let after: Int64
    let before: Int64

    init(_ expression: MatchExpression, after: Int64?, before: Int64?) {
        self.after = after ?? .min
        self.before = before ?? .max
        match =
            switch expression {
            case .everything: #"facets : "all""#
            case .match(let text): text
            // No row has this facet.
            case .nothing: #"facets : "nothing""#
            }
    }
}

extension Term {
    fileprivate var sender: String? {
        if case .from(let name) = self { name } else { nil }
    }
}
