import ChatModel
import Records

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
    private let units: CrossedUnits
    private let hasRooms: Bool
    private let hasPeople: Bool
    private var local: LocalHours
    private var counts = CrossedCounts()
    /// An hour of each number of times.
    private var hours: [Int64: Int64] = [:]
    /// The hour of the last hit, and its number.
    private var last: (hour: Int64, time: Int64)?

    init(_ properties: [HitProperty], zone: Zone) {
        self.properties = properties
        units = CrossedUnits(properties.compactMap(\.unit))
        (hasRooms, hasPeople) = (properties.contains(.room), properties.contains(.user))
        local = LocalHours(zone: zone)
    }

    /// Counts a hit. A message without a sender does not count by person.
    ///
    /// - Parameter instant: Microseconds since 1970 UTC.
    /// - Returns: True for the first hit of a row.
    /// - Throws: ``TooManyCounts``.
    mutating func added(_ instant: Int64, room: Int64, sender: Int64?) throws -> Bool {
        if hasPeople, sender == nil { return false }
        let rows = counts.count
        let time = units.isEmpty ? 0 : time(of: local.hour(of: instant))
        try count(CrossedKey(room: hasRooms ? room : 0, person: hasPeople ? sender ?? 0 : 0, time: time), 1)
        return counts.count > rows
    }

    private mutating func count(_ key: CrossedKey, _ count: Int64) throws {
        counts.add(count, to: key)
        guard counts.count <= TooManyCounts.limit else { throw TooManyCounts() }
    }

    private mutating func time(of hour: Int64) -> Int64 {
        if let last, last.hour == hour { return last.time }
        let time = units.number(of: hour)
        last = (hour, time)
        if hours[time] == nil { hours[time] = hour }
        return time
    }

    /// Returns the counts, in no order.
    ///
    /// - Parameters:
    ///   - account: The account of rooms and people.
    ///   - names: Returns the names of rooms or people.
    func hitCounts(
        account: String?, names: (HitProperty, Set<Int64>) throws -> [Int64: String]
    ) rethrows -> [HitCount] {
        let known = try properties.map { property in
            if let unit = property.unit { return hours.mapValues { LocalHours.name(of: $0, unit) } }
            return try names(property, Set(counts.all.map { $0.key.number(of: property) }))
        }
        return counts.all.map { key, count in
            let names = properties.indices.map { known[$0][key.number(of: properties[$0])] }
            return HitCount(account: account, names: names, count: count)
        }
    }
}

extension CrossTally {
    /// Returns the counts of an account with the present names of its rooms and people, in no order.
    func hitCounts(namedBy names: CountedNames) throws -> [HitCount] {
        try hitCounts(account: names.account.name) { property, numbers in
            try property == .user ? names.ofPeople(numbers) : names.ofRooms(numbers)
        }
    }
}

extension CrossTally: JoinedTally {
    var needsPeople: Bool { hasPeople }

    /// - Throws: ``TooManyCounts``.
    mutating func join(_ other: CrossTally) throws {
        for (key, number) in other.counts.all { try count(key, number) }
        hours.merge(other.hours) { first, _ in first }
    }

    mutating func add(_ id: Int64, room: Int64, sender: Int64?) throws {
        _ = try added(id, room: room, sender: sender)
    }

    mutating func add(_ quarter: LocalQuarter, of row: CountRow, room: Int64) throws {
        var key = CrossedKey(room: hasRooms ? room : 0, person: 0, time: units.isEmpty ? 0 : time(of: quarter.hour))
        guard hasPeople else { return try count(key, quarter.messages) }
        for pair in row.pairs[quarter.counts.pairs] {
            key.person = row.keys[pair.key].sender
            if key.person != 0 { try count(key, pair.messages) }
        }
    }
}

/// Units of time whose names are counted together.
private struct CrossedUnits {
    /// The shortest of year, month and day, from which the others follow.
    private let date: TimeUnit?
    private let hasWeekday: Bool
    private let hasHour: Bool

    let isEmpty: Bool

    init(_ units: [TimeUnit]) {
        date = [.day, .month, .year].first(where: units.contains)
        (hasWeekday, hasHour, isEmpty) = (units.contains(.weekday), units.contains(.hour), units.isEmpty)
    }

    /// Returns a number that all hours with the same names share, and no others.
    ///
    /// - Parameter hour: The hours since 1970 in the zone.
    func number(of hour: Int64) -> Int64 {
        let day = LocalHours.floor(hour, 24)
        let (date, weekday) = (date?.number(ofDay: day) ?? 0, hasWeekday ? TimeUnit.weekday.number(ofDay: day) : 0)
        return (date * 7 + weekday) * 24 + (hasHour ? hour - day * 24 : 0)
    }
}
