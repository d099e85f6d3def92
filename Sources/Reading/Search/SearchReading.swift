import Accounts
package import ChatModel
import Records
import Schema
import SearchText

/// Searches messages, and reads what a search needs to explain its hits.
package struct SearchReading: Sendable {
    package let reading: ArchiveReading

    /// Returns a function for each account that decides if one of its messages matches, exact letters included.
    func hitTests(
        of search: SearchScope, in scope: MessageQuery.Scope
    ) throws -> [String: @Sendable (Message) -> Bool] {
        try reading.collect(in: scope, into: [:]) { tests, reader in
            tests[reader.account.name] = try reader.read { db in try search.test(of: reader.account, db) }
        }.result
    }

    /// Returns the most relevant hits of any time, the best first, up to the query's limit.
    ///
    /// Reads every hit. The page is not a span of time: it has neither cursors nor gaps.
    package func mostRelevant(_ query: MessageQuery, matching search: SearchScope) throws -> Page {
        var search = search
        search.wordLimit = TooManyWords.relevanceLimit
        var (found, skipped) = try reading.collect(
            in: query.scope, into: [(score: Double, message: Message)]()
        ) { [search] found, reader in
            found += try reader.read { db in
                let hits = try search.hits(scope: query.scope, of: reader.account, db)
                return try PageReader(account: reader.account, query: query, hits: hits, bytes: reading.pageBytes)
                    .mostRelevant(count: query.limit, db)
            }
        }
        found.sort { ($1.score, $1.message.id) < ($0.score, $0.message.id) }
        let messages = found.map(\.message)
        let count = PageSize(count: query.limit, bytes: reading.pageBytes).fitting(messages)
        return Page(
            messages: Array(messages.prefix(count)), older: nil, newer: nil, gaps: [], skipped: skipped)
    }

    /// Returns the messages around the hits of a search, in groups in the order of their first hits.
    ///
    /// - Parameters:
    ///   - hits: The hits from a page or from ``mostRelevant(_:matching:)`` of the query.
    ///   - before: The number of messages before each hit.
    ///   - after: The number of messages after each hit.
    package func context(
        of hits: [Message], _ query: MessageQuery, before: Int, after: Int
    ) throws -> [HitGroup] {
        let groups = try reading.collect(in: query.scope, into: [(place: Int, group: HitGroup)]()) { groups, reader in
            let own = hits.enumerated().filter { $0.element.account == reader.account.name }
            guard !own.isEmpty else { return }
            let places = Dictionary(own.map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
            let context = HitContext(
                account: reader.account, names: query.names, hidden: query.hidden, before: before, after: after,
                gaps: reader.gapReader, bytes: reading.pageBytes == .max ? .max : reading.pageBytes / (2 * hits.count))
            groups += try reader.read { db in try context.groups(around: own.map(\.element), db) }
                .map { group in (group.hits.compactMap { places[$0] }.min() ?? 0, group) }
        }.result
        return groups.sorted { $0.place < $1.place }.map(\.group)
    }

    /// Returns the names that users of the scope's accounts have or had, each once, in no order.
    package func userNames(_ scope: MessageQuery.Scope) throws -> Set<String> {
        try reading.collect(in: scope, into: []) { names, reader in
            names.formUnion(
                try reader.read { db -> [String] in
                    // The names are those of the whole account.
                    guard db.rooms == nil else { return [] }
                    return try db.all("SELECT DISTINCT name FROM user_name") { try $0.text(0) }
                })
        }.result
    }

    /// Returns the names of people who write by bridges, with their sign, and the names of the bots that bring what they
    /// write; none for the reader of some rooms.
    package func bridged(_ scope: MessageQuery.Scope) throws -> (people: Set<String>, bots: Set<String>) {
        try reading.collect(in: scope, into: (people: [], bots: [])) { found, reader in
            try reader.read { db in
                guard db.rooms == nil else { return }
                let names = try db.all("SELECT user_id, name FROM user_name") { try ($0.integer(0), $0.text(1)) }
                let keys = try MessageExtras.bridges(of: Set(names.map(\.0)), db)
                found.bots.formUnion(keys.values.map(\.bot))
                found.people.formUnion(names.filter { keys[$0.0] != nil }.map { $0.1 + BridgeKey.sign })
            }
        }.result
    }

    /// Returns true if an account of the scope has its own person; nil for the reader of some rooms, who does not learn it.
    package func hasOwnPerson(_ scope: MessageQuery.Scope) throws -> Bool? {
        try reading.collect(in: scope, into: Bool?.some(false)) { found, reader in
            let isKnown = try reader.read { db -> Bool? in
                guard db.rooms == nil else { return nil }
                return try !db.integers("SELECT id FROM \"user\" WHERE is_self = 1 LIMIT 1").isEmpty
            }
            found = found.flatMap { was in isKnown.map { was || $0 } }
        }.result
    }

    /// Returns the state of the search index of each account, sorted by account name.
    package func indexes(_ scope: MessageQuery.Scope) throws -> [SearchedIndex] {
        try reading.collect(in: scope, into: []) { indexes, reader in
            indexes.append(try reader.read { db in try SearchedIndex(of: reader.account.name, db) })
        }.result
    }
}
