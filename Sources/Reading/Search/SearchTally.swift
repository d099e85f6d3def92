import Accounts
package import ChatModel
import Schema
import SearchText

/// Counts hits, in time proportional to their number.
struct SearchTally: Sendable {
    let account: AccountIdentity
    let scope: MessageQuery.Scope
    let search: SearchScope
    /// The number of hits from which on two threads count them by sender or by time.
    var manyHits: Int64 = 50_000

    /// Returns the numbers of hits of an account: the total, those by room or user, and by several properties, in no order.
    ///
    /// - Parameter limit: The number of people whose names are wanted of a count by user, from the highest count down; nil for
    ///   all.
    /// - Throws: ``TooManyCounts``.
    func counts(by grouping: HitGrouping, named limit: Int?, of reader: AccountReader) throws -> [HitCount] {
        let people = try grouping == .user ? peopleOfMany(reader) : nil
        if case .time(let unit, let zone) = grouping, let spans = try timesOfMany(in: zone, reader) {
            return spans.counts(by: unit)
        }
        return try reader.read { db in
            switch grouping {
            case .all: [HitCount(account: nil, name: nil, count: try total(db))]
            case .room: try byRoom(db)
            case .user: try byUser(people, named: limit, db)
            case .time(let unit, let zone): try byTime(unit, zone, db)
            case .crossed(let properties, let zone): try crossed(properties, zone, db)
            }
        }
    }

    private func total(_ db: ReadTransaction) throws -> Int64 {
        if let kept = try kept(db) {
            return try kept.byRoom(db).values.reduce(0, +)
        }
        let hits = try search.hits(scope: scope, of: account, db)
        let sql: SQLText = try isAll(db) ? "SELECT count(*) FROM \(all)" : SearchHits.count(db)
        return try db.integer(sql, arguments(hits)) ?? 0
    }

    private func byRoom(_ db: ReadTransaction) throws -> [HitCount] {
        if let kept = try kept(db) {
            return try CountedNames(account: account, db: db).rooms(kept.byRoom(db))
        }
        if let counts = try indexedByRoom(db) { return try CountedNames(account: account, db: db).rooms(counts) }
        return try grouped("room_id", names: "room_name", key: "room_id", db)
    }

    /// - Parameters:
    ///   - people: The numbers of hits by sender; nil to count them.
    ///   - limit: The number of people whose names are wanted, from the highest count down; nil for all.
    private func byUser(_ people: [Int64: Int64]?, named limit: Int?, _ db: ReadTransaction) throws -> [HitCount] {
        guard !db.isShared else { return try grouped("sender_id", names: "user_name", key: "user_id", db) }
        var counts =
            try people ?? kept(db)?.people(db)
            ?? self.people(of: search.hits(scope: scope, of: account, db), db).counts
        // Messages of the system have no sender.
        counts[0] = nil
        return try CountedNames(account: account, db: db).people(counts, limit: limit)
    }

    /// Returns the numbers of many hits by sender, which the messages alone have.
    ///
    /// - Returns: Nil as for ``countMany(_:_:)``.
    private func peopleOfMany(_ reader: AccountReader) throws -> [Int64: Int64]? {
        try countMany(reader) { hits, db in try people(of: hits, db) }?.reduce(into: PersonTally()) { $0.join($1) }
            .counts
    }

    /// Returns the numbers of many hits by time.
    ///
    /// - Returns: Nil as for ``countMany(_:_:)``.
    private func timesOfMany(in zone: Zone, _ reader: AccountReader) throws -> LocalSpans? {
        try countMany(reader) { hits, db in try spans(of: hits, in: zone, db) }?
            .reduce(into: LocalSpans(zone: zone)) { $0.join($1) }
    }

    /// Returns what `count` returns for each of two parts of many hits. Two threads read the parts.
    ///
    /// - Returns: Nil for fewer hits than ``manyHits``, for kept counts, and for a shared archive.
    private func countMany<Tally: Sendable>(
        _ reader: AccountReader, _ count: @escaping @Sendable (SearchHits, ReadTransaction) throws -> Tally
    ) throws -> [Tally]? {
        let found = try reader.read { db -> (hits: SearchHits, parts: [TimePart])? in
            guard !db.isShared, try kept(db) == nil else { return nil }
            let hits = try search.hits(scope: scope, of: account, db)
            let some = try db.integer(SearchHits.countOfSome(db), arguments(hits) + [.integer(manyHits)])
            guard some ?? 0 >= manyHits else { return nil }
            return (hits, try TimeParts.parts(of: TimePart(after: hits.after, before: hits.before), size: nil, db))
        }
        guard let found else { return nil }
        return try reader.read(parts: found.parts) { db, part in try count(found.hits.within(part), db) }
    }

    /// Returns the numbers of hits in an account's file by sender. Counting here takes less time than GROUP BY, which sorts.
    private func people(of hits: SearchHits, _ db: ReadTransaction) throws -> PersonTally {
        var people = PersonTally()
        try db.forEach(SearchHits.subjects("sender_id", db), arguments(hits)) {
            people.add(try $0.optionalInteger(0) ?? 0, 1)
        }
        return people
    }

    /// The number of hits for each room from which on the index is asked for the hits of each room: that takes as long as
    /// finding the messages of so many hits.
    private static let hitsPerRoom: Int64 = 32

    /// Returns the numbers of hits by room from the index alone, which takes a third of the time of finding the messages of
    /// 867,167 hits, and a twentieth while these are not in memory *(measured)*.
    ///
    /// - Returns: Nil for few hits, and for a shared archive.
    private func indexedByRoom(_ db: ReadTransaction) throws -> [Int64: Int64]? {
        guard !db.isShared else { return nil }
        let hits = try search.hits(scope: scope, of: account, db)
        let count = try SearchHits.count(db)
        let rooms = try db.integers("SELECT room_id FROM room_span JOIN room ON room.id = room_id ORDER BY messages")
        var left = try db.integer(count, arguments(hits)) ?? 0
        guard left >= Int64(rooms.count) * Self.hitsPerRoom else { return nil }
        var counts: [Int64: Int64] = [:]
        for room in rooms.dropLast() {
            let found = try db.integer(count, arguments(hits.inRoom(room))) ?? 0
            if found > 0 { counts[room] = found }
            left -= found
        }
        // The room with the most messages has the others.
        if let last = rooms.last, left > 0 { counts[last] = left }
        return counts
    }

    /// Counts hits by a unit of the zone's time, in order of time.
    private func byTime(_ unit: TimeUnit, _ zone: Zone, _ db: ReadTransaction) throws -> [HitCount] {
        if let kept = try kept(db) {
            return try kept.counted(LocalSpans(zone: zone), in: zone, db).counts(by: unit)
        }
        return try spans(of: search.hits(scope: scope, of: account, db), in: zone, db).counts(by: unit)
    }

    private func spans(of hits: SearchHits, in zone: Zone, _ db: ReadTransaction) throws -> LocalSpans {
        var spans = LocalSpans(zone: zone)
        try db.forEach(isAll(db) ? "SELECT id FROM \(all)" : SearchHits.times(db), arguments(hits)) {
            spans.add(try $0.integer(0))
        }
        return spans
    }

    /// Counts hits by several properties together, in no order.
    ///
    /// - Throws: ``TooManyCounts``.
    private func crossed(_ properties: [HitProperty], _ zone: Zone, _ db: ReadTransaction) throws -> [HitCount] {
        var tally = CrossTally(properties, zone: zone)
        if let kept = try kept(db) {
            tally = try kept.counted(tally, in: properties.contains { $0.unit != nil } ? zone : nil, db)
        } else {
            let hits = try search.hits(scope: scope, of: account, db)
            try db.forEach(
                isAll(db) ? "SELECT id, room_id, sender_id FROM \(all)" : SearchHits.messages(db), arguments(hits)
            ) { try tally.add($0.integer(0), room: $0.integer(1), sender: $0.optionalInteger(2)) }
        }
        return try tally.hitCounts(namedBy: CountedNames(account: account, db: db))
    }

    /// Returns the messages of a search without words and filters, or with rooms alone; nil for another search, and for a shared
    /// archive, which keeps no counts.
    private func kept(_ db: ReadTransaction) throws -> CountedMessages? {
        guard !db.isShared, search.query.none.isEmpty, search.query.all.allSatisfy(Self.isRooms) else { return nil }
        let rooms = search.rooms(of: account.name, in: scope)
        return CountedMessages(
            rooms: db.visible(rooms), after: search.after?.microseconds ?? .min,
            before: search.before?.microseconds ?? .max)
    }

    /// Returns true if all alternatives are rooms.
    private static func isRooms(_ alternatives: [Term]) -> Bool {
        alternatives.allSatisfy { if case .room = $0 { true } else { false } }
    }

    private func grouped(_ column: String, names: String, key: String, _ db: ReadTransaction) throws -> [HitCount] {
        let hits = try search.hits(scope: scope, of: account, db)
        let seen = try key == "user_id" ? SeenNames(db) : nil
        let subjects: SQLText =
            try isAll(db) ? "SELECT \(column) AS subject FROM \(all)" : SearchHits.subjects(column, db)
        return try db.all(
            """
            SELECT (SELECT name FROM \(names) WHERE \(key) = subject AND last_seen_us IS NULL), count(*) AS hits, subject
            FROM (\(subjects)) AS found WHERE subject IS NOT NULL GROUP BY subject
            """, arguments(hits)
        ) { row in
            let name = if let seen { try seen.name(of: row.integer(2)) } else { try row.optionalText(0) }
            return try HitCount(account: account.name, name: name, count: row.integer(1), id: row.integer(2))
        }
    }

    /// True without words and filters: all messages are hits, also those that the search index doesn't have yet.
    private func isAll(_ db: ReadTransaction) -> Bool {
        search.query.all.isEmpty && search.query.none.isEmpty && db.visible(scope.rooms(of: account.name)) == nil
    }

    private let all: SQLText = "message \(.notIndexed) WHERE noise = 0 AND ?3 IS NOT NULL AND id > ?1 AND id < ?2"

    private func arguments(_ hits: SearchHits) -> [SQLArgument] {
        [.integer(hits.after), .integer(hits.before), .text(hits.match)]
    }
}

/// The property by which hits are counted.
package enum HitGrouping: Sendable, Hashable {
    case all, room, user
    case time(TimeUnit, Zone)
    case crossed([HitProperty], Zone)

    /// Adds the counts of the same room, person or time, and sorts them as ``order(_:)`` does.
    ///
    /// - Throws: ``TooManyCounts``.
    func joined(_ counts: [HitCount]) throws -> [HitCount] {
        guard self == .room || self == .user else {
            let ordered = order(counts)
            guard ordered.count <= TooManyCounts.limit else { throw TooManyCounts() }
            return ordered
        }
        struct Subject: Hashable {
            var account: String?
            var id: Int64?
        }
        let joined = counts.reduce(into: [Subject: HitCount]()) { joined, count in
            let subject = Subject(account: count.account, id: count.id)
            guard joined[subject] != nil else { return joined[subject] = count }
            joined[subject]?.count += count.count
        }
        return order(Array(joined.values))
    }

    /// Merges and sorts the accounts' counts: the total and the times are summed over all accounts; rooms and users
    /// stay apart, the highest count first.
    func order(_ counts: [HitCount]) -> [HitCount] {
        switch self {
        case .all: [HitCount(account: nil, name: nil, count: counts.reduce(0) { $0 + $1.count })]
        case .time(let unit, _): counts.inOrder(of: unit)
        case .room, .user: counts.highestFirst()
        case .crossed(let properties, _): counts.inOrder(of: properties)
        }
    }
}
