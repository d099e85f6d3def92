import ChatModel
import Schema

/// Gives the counts of an account the present names of its rooms and people.
struct CountedNames {
    let account: AccountIdentity
    let db: ReadTransaction

    /// Returns the counts of rooms with their names, in no order.
    ///
    /// - Parameter counts: The counts by the rooms' numbers.
    func rooms(_ counts: [Int64: Int64]) throws -> [HitCount] {
        try named(counts, ofRooms(counts.keys))
    }

    /// Returns the counts of people with their names, in no order.
    ///
    /// - Parameters:
    ///   - counts: The counts by the people's numbers.
    ///   - limit: The number of people whose names matter, from the highest count down; nil for all. All people get names whose
    ///     order they decide, and others with the same names. A shared archive ignores the limit.
    ///   - hasRest: False to leave out the people without names.
    func people(_ counts: [Int64: Int64], limit: Int? = nil, hasRest: Bool = true) throws -> [HitCount] {
        guard let limit, limit < counts.count, !db.isShared else { return try named(counts, ofPeople(counts.keys)) }
        let first = Self.first(limit, of: counts)
        var names = try ofPeople(first)
        let others = try holders(of: Set(names.values)).filter { names[$0] == nil && counts[$0] != nil }
        names.merge(try ofPeople(others)) { first, _ in first }
        guard !hasRest else { return named(counts, names) }
        let shown = others.union(first)
        return named(counts.filter { shown.contains($0.key) }, names)
    }

    private func named(_ counts: [Int64: Int64], _ names: [Int64: String]) -> [HitCount] {
        counts.map { HitCount(account: account.name, name: names[$0.key], count: $0.value, id: $0.key) }
    }

    /// Returns the people with the highest counts, and all who have as many as the last of them.
    private static func first(_ limit: Int, of counts: [Int64: Int64]) -> [Int64] {
        guard let least = counts.values.sorted(by: >).prefix(limit).last else { return [] }
        return counts.filter { $0.value >= least }.map(\.key)
    }

    /// Returns the people who have or had one of some names, in any case of ASCII letters.
    private func holders(of names: Set<String>) throws -> Set<Int64> {
        var people: Set<Int64> = []
        for name in names {
            try db.forEach("SELECT user_id FROM user_name WHERE \(.folded("name")) = ?1", [.text(name)]) {
                people.insert(try $0.integer(0))
            }
        }
        return people
    }

    /// Returns the present names of rooms.
    func ofRooms(_ rooms: some Collection<Int64>) throws -> [Int64: String] {
        try presentNames(of: rooms, "room_name", "room_id")
    }

    /// Returns the present names of people, or those that the reader of some rooms knows.
    func ofPeople(_ people: some Collection<Int64>) throws -> [Int64: String] {
        guard let seen = try SeenNames(db) else { return try presentNames(of: people, "user_name", "user_id") }
        var names: [Int64: String] = [:]
        for person in people { names[person] = try seen.name(of: person) }
        return names
    }

    /// The number of names that are looked up one by one, which takes as long as reading some ten times as many.
    private static let fewNames = 100

    private func presentNames(
        of ids: some Collection<Int64>, _ table: String, _ key: String
    ) throws -> [Int64: String] {
        let today: SQLText = "SELECT \(key), name FROM \(table) WHERE last_seen_us IS NULL"
        var names: [Int64: String] = [:]
        guard ids.count > Self.fewNames else {
            for id in ids { names[id] = try db.first("\(today) AND \(key) = ?1", [.integer(id)]) { try $0.text(1) } }
            return names
        }
        try db.forEach(today, []) { names[try $0.integer(0)] = try $0.text(1) }
        return names
    }
}
