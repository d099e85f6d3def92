package import ChatModel
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

    /// What this account's index is asked.
    func hits(scope: MessageQuery.Scope, _ db: Database) throws -> SearchHits {
        let people = try facets(of: query.people, in: "user", prefix: "u", db)
        let places = try facets(of: query.places, in: "room", prefix: "r", db)
        let expression = MatchExpression(
            query, always: scope.roomID.map { ["r\($0)"] } ?? [], people: { people[$0] ?? [] },
            places: { places[$0] ?? [] })
        return SearchHits(match: expression.text, after: after?.microseconds, before: before?.microseconds)
    }

    /// For each name the facets of all who have it or had it.
    private func facets(
        of names: Set<String>, in table: String, prefix: String, _ db: Database
    ) throws -> [String: [String]] {
        guard !names.isEmpty else { return [:] }
        var found: [String: [String]] = [:]
        let rows = try Row.fetchCursor(db, sql: "SELECT DISTINCT \(table)_id, name FROM \(table)_name")
        while let row = try rows.next() {
            let (id, name): (Int64, String) = (row[0], row[1])
            for wanted in names where Analyser.isSameName(wanted, name) {
                found[wanted, default: []].append("\(prefix)\(id)")
            }
        }
        return found
    }
}

/// The rows of `message_search` that a page is made of.
struct SearchHits: Sendable {
    /// The text of MATCH, the room included; nil for all rows.
    var match: String?
    /// Both left out.
    var after: Int64?
    var before: Int64?
}
