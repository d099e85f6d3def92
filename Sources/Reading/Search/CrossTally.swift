import ChatModel

/// A property by which hits are counted together with others.
package enum HitProperty: Sendable, Hashable {
    case room, user
    case time(TimeUnit)

    var unit: TimeUnit? {
        if case .time(let unit) = self { unit } else { nil }
    }
}

/// A count by several properties has too many rows.
package struct TooManyCounts: Error {
    /// The largest number of rows, of which each takes some 200 bytes of memory.
    package static let limit = 200_000
}

/// Numbers of hits by several properties together: those of one account, or of several if no property is of an account.
struct CrossTally {
    private let properties: [HitProperty]
    private var local: LocalHours
    private var counts: [[Int64]: Int64] = [:]
    /// The names of local times, by their numbers.
    private var times: [String] = []
    private var numbers: [String: Int64] = [:]
    /// The hour of the last hit, and its numbers by each property that is a time.
    private var last: (hour: Int64, numbers: [Int64])?

    init(_ properties: [HitProperty], zone: Zone) {
        self.properties = properties
        local = LocalHours(zone: zone)
    }

    /// Counts a hit. A message without a sender does not count by person.
    ///
    /// - Parameter instant: Microseconds since 1970 UTC.
    /// - Returns: True for the first hit of a row.
    /// - Throws: ``TooManyCounts``.
    @discardableResult
    mutating func add(_ instant: Int64, room: Int64, sender: Int64?) throws -> Bool {
        let rows = counts.count
        let times = numbers(at: instant)
        var (key, next) = ([Int64](), 0)
        key.reserveCapacity(properties.count)
        for property in properties {
            switch property {
            case .room: key.append(room)
            case .user:
                guard let sender else { return false }
                key.append(sender)
            case .time:
                key.append(times[next])
                next += 1
            }
        }
        counts[key, default: 0] += 1
        guard counts.count <= TooManyCounts.limit else { throw TooManyCounts() }
        return counts.count > rows
    }

    private mutating func numbers(at instant: Int64) -> [Int64] {
        let hour = local.hour(of: instant)
        if let last, last.hour == hour { return last.numbers }
        let found = properties.compactMap(\.unit).map { number(of: LocalHours.name(of: hour, $0)) }
        last = (hour, found)
        return found
    }

    private mutating func number(of name: String) -> Int64 {
        if let known = numbers[name] { return known }
        let number = Int64(times.count)
        times.append(name)
        numbers[name] = number
        return number
    }

    /// Returns the counts, in no order.
    ///
    /// - Parameters:
    ///   - account: The account of rooms and people.
    ///   - name: Returns the name of a room or a person.
    func hitCounts(
        account: String?, name: (HitProperty, Int64) throws -> String?
    ) rethrows -> [HitCount] {
        var known: [HitProperty: [Int64: String?]] = [:]
        return try counts.map { key, count in
            let names = try zip(properties, key).map { property, number -> String? in
                if property.unit != nil { return times[Int(number)] }
                if let name = known[property]?[number] { return name }
                let found = try name(property, number)
                known[property, default: [:]][number] = .some(found)
                return found
            }
            return HitCount(account: account, names: names, count: count)
        }
    }
}

extension [HitCount] {
    /// Returns the counts by several properties in order: times in theirs; rooms and people by their counts, the highest
    /// first. Counts with equal names are added, so that times are summed over all accounts.
    func inOrder(of properties: [HitProperty]) -> [HitCount] {
        let isOfAccounts = properties.areOfAccounts
        var sums: [Row: Int64] = [:]
        for count in self {
            sums[Row(account: isOfAccounts ? count.account : nil, names: count.names), default: 0] += count.count
        }
        var totals: [Row: Int64] = [:]
        for (row, count) in sums {
            for length in properties.indices.map({ $0 + 1 }) { totals[row.first(length), default: 0] += count }
        }
        return
            sums.map { row, count in (row: row, count: count, rank: row.rank(properties, totals)) }
            .sorted { a, b in a.rank.lexicographicallyPrecedes(b.rank) { $0 < $1 } }
            .map { HitCount(account: $0.row.account, names: $0.row.names, count: $0.count) }
    }
}

extension [HitProperty] {
    /// True if one of the properties is of an account: a room or a person.
    var areOfAccounts: Bool { contains { $0.unit == nil } }
}

/// The names of a row of counts.
private struct Row: Hashable {
    var account: String?
    var names: [String?]

    func first(_ count: Int) -> Row { Row(account: account, names: Array(names.prefix(count))) }

    /// Returns the place of each name among those beside it: a number, and a text for equal numbers.
    func rank(_ properties: [HitProperty], _ totals: [Row: Int64]) -> [(Int64, String)] {
        properties.enumerated().map { place, property in
            let name = names[place] ?? ""
            if let unit = property.unit {
                let rank = unit.rank(name)
                return (Int64(rank.0), rank.1)
            }
            return (-(totals[first(place + 1)] ?? 0), "\(account ?? "")\u{0}\(name)")
        }
    }
}
