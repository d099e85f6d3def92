package import ChatModel

/// What searches find.
extension ArchiveReading {
    /// How many messages match: of rooms and people the most first, of days in their order.
    package func count(
        scope: MessageQuery.Scope, matching search: SearchScope, by grouping: HitGrouping
    ) async throws -> [HitCount] {
        var counts: [HitCount] = []
        try await eachReader(in: scope) { reader in
            let tally = SearchTally(account: reader.account, scope: scope, search: search)
            counts += try reader.read { db in
                switch grouping {
                case .all: [HitCount(account: nil, name: nil, count: try tally.total(db))]
                case .room: try tally.byRoom(db)
                case .user: try tally.byUser(db)
                case .day(let zone): try tally.byDay(zone, db)
                }
            }
        }
        return grouping.order(counts)
    }

    /// The hits that say most of what is looked for, the best first; at most the query's limit, from wherever they are.
    ///
    /// Looks at every hit. Not a page of time: it has neither cursors nor gaps.
    package func mostRelevant(_ query: MessageQuery, matching search: SearchScope) async throws -> Page {
        var found: [(score: Double, message: Message)] = []
        let leftOut = try await eachReader(in: query.scope) { reader in
            found += try reader.read { db in
                let hits = try search.hits(scope: query.scope, of: reader.account, db)
                return try PageReader(account: reader.account, query: query, hits: hits)
                    .mostRelevant(count: query.limit, db)
            }
        }
        found.sort { ($1.score, $1.message.id) < ($0.score, $0.message.id) }
        return Page(
            messages: found.prefix(query.limit).map(\.message), older: nil, newer: nil, gaps: [], leftOut: leftOut)
    }

    /// What was said around hits of a search: groups in the order of their first hit.
    ///
    /// - Parameters:
    ///   - hits: As a page or ``mostRelevant(_:matching:)`` of the query gave them.
    ///   - before: How many messages before each hit, and how many `after` it.
    package func context(
        of hits: [Message], _ query: MessageQuery, before: Int, after: Int
    ) async throws -> [HitGroup] {
        var groups: [(place: Int, group: HitGroup)] = []
        try await eachReader(in: query.scope) { reader in
            let own = hits.enumerated().filter { $0.element.account == reader.account.name }
            guard !own.isEmpty else { return }
            let places = Dictionary(own.map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
            let context = HitContext(
                account: reader.account, names: query.names, before: before, after: after, gaps: reader.gapReader)
            groups += try reader.read { db in try context.groups(around: own.map(\.element), db) }
                .map { group in (group.hits.compactMap { places[$0] }.min() ?? 0, group) }
        }
        return groups.sorted { $0.place < $1.place }.map(\.group)
    }

    /// How far back the search index of each account reaches, where it does not reach back to the beginning yet.
    package func unindexed(_ scope: MessageQuery.Scope) async throws -> [(account: String, from: MessageID)] {
        var unindexed: [(account: String, from: MessageID)] = []
        try await eachReader(in: scope) { reader in
            guard let reach = try reader.read({ db in try SearchReach.all(db).first }), reach.from != .min else {
                return
            }
            unindexed.append((reader.account.name, MessageID(microseconds: reach.from)))
        }
        return unindexed
    }
}
