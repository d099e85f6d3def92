package import ChatModel
import Foundation
import GRDB
package import SearchText

/// What is looked for, and in which time.
package struct SearchScope: Sendable {
    package var query: SearchQuery
    /// Hits are later than this, and earlier than the other.
    package var after: MessageID?
    package var before: MessageID?

    package init(query: SearchQuery, after: MessageID? = nil, before: MessageID? = nil) {
        self.query = query
        self.after = after
        self.before = before
    }

    /// What one account's index is asked.
    func hits(scope: MessageQuery.Scope, _ db: Database) throws -> SearchHits {
        let terms = query.all.joined() + query.none
        let users = try facets(of: terms.compactMap(\.sender), in: "user", prefix: "u", db)
        let rooms = try facets(of: terms.compactMap(\.roomName), in: "room", prefix: "r", db)
        let expression = MatchExpression(
            query, facets: scope.roomID.map { [["r\($0)"]] } ?? [],
            users: { users[$0] ?? [] }, rooms: { rooms[$0] ?? [] })
        return SearchHits(expression, after: after?.microseconds, before: before?.microseconds)
    }

    /// Whether hits could be in the gap: it lies in the time and the rooms that are looked into.
    func looksInto(_ gap: Gap) -> Bool {
        let room = gap.room.lowercased()
        func isRoom(_ term: Term) -> Bool? {
            term.roomName.map { $0.lowercased() == room || "#" + $0.lowercased() == room }
        }
        let (from, to) = (gap.from.microseconds, gap.to?.microseconds ?? .max)
        return from < (before?.microseconds ?? .max) && to > (after?.microseconds ?? .min)
            && query.all.allSatisfy { $0.contains { isRoom($0) ?? true } }
            && !query.none.contains { isRoom($0) ?? false }
    }

    /// For each name the facets of all who have it or had it, where case and composition don't matter; for a room, `#` may
    /// be left out.
    ///
    /// Of people's names, an index finds those of ASCII alone; of the others each is looked at, 0.4 µs *(measured)*.
    private func facets(
        of names: [String], in table: String, prefix: String, _ db: Database
    ) throws -> [String: [String]] {
        guard !names.isEmpty else { return [:] }
        let wanted = Set(names).map { (name: $0, folded: $0.lowercased().precomposedStringWithCanonicalMapping) }
        let spellings = wanted.flatMap { [$0.folded, "#" + $0.folded] }
        var found: [String: [String]] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(table)_id, name FROM \(table)_name
                WHERE name COLLATE NOCASE IN (\(databaseQuestionMarks(count: spellings.count)))
                UNION
                SELECT \(table)_id, name FROM \(table)_name WHERE length(name) <> length(CAST(name AS BLOB))
                """,
            arguments: StatementArguments(spellings))
        while let row = try rows.next() {
            let (id, name): (Int64, String) = (row[0], row[1])
            let folded = name.lowercased()
            for wanted in wanted where wanted.folded == folded || "#" + wanted.folded == folded {
                found[wanted.name, default: []].append("\(prefix)\(id)")
            }
        }
        return found
    }
}

/// The rows that a page of hits is made of.
struct SearchHits: Sendable {
    /// The text of MATCH.
    let match: String
    /// Both left out.
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

    fileprivate var roomName: String? {
        if case .room(let name) = self { name } else { nil }
    }
}
