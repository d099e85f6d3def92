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
    private var counts: [Key: Int64] = [:]
    /// An hour of each number of times.
    private var hours: [Int64: Int64] = [:]
    /// The hour of the last hit, and its number.
    private var last: (hour: Int64, time: Int64)?
    /// The counts of quarters of an hour that are not among ``counts`` yet, and what they have in common.
    private var open = OpenCounts()
    private var place: Key?

    /// A row of counts. A number is 0 where the rows have no such property.
    private struct Key: Hashable {
        var room: Int64
        var person: Int64
        /// The number of its times.
        var time: Int64
    }

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
        try count(Key(room: hasRooms ? room : 0, person: hasPeople ? sender ?? 0 : 0, time: time), 1)
        return counts.count > rows
    }

    private mutating func count(_ key: Key, _ count: Int64) throws {
        counts[key, default: 0] += count
        guard counts.count <= TooManyCounts.limit else { throw TooManyCounts() }
    }

    private mutating func time(of hour: Int64) -> Int64 {
        if let last, last.hour == hour { return last.time }
        let time = units.number(of: hour)
        last = (hour, time)
        if hours[time] == nil { hours[time] = hour }
        return time
    }

    /// Completes the counts of quarters of an hour.
    ///
    /// - Throws: ``TooManyCounts``.
    mutating func finish() throws {
        guard var key = place else { return }
        for (person, messages) in open.take() where !hasPeople || person != 0 {
            key.person = person
            try count(key, messages)
        }
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
            let names = try properties.map { property -> String? in
                if let unit = property.unit { return LocalHours.name(of: hours[key.time] ?? 0, unit) }
                let number = property == .room ? key.room : key.person
                if let name = known[property]?[number] { return name }
                let found = try name(property, number)
                known[property, default: [:]][number] = .some(found)
                return found
            }
            return HitCount(account: account, names: names, count: count)
        }
    }
}

extension CrossTally: MessageTally {
    var needsPeople: Bool { hasPeople }

    mutating func add(_ id: Int64, room: Int64, sender: Int64?) throws {
        _ = try added(id, room: room, sender: sender)
    }

    mutating func add(_ quarter: LocalQuarter, of row: CountRow, room: Int64) throws {
        let here = Key(room: hasRooms ? room : 0, person: 0, time: units.isEmpty ? 0 : time(of: quarter.hour))
        if place != here {
            try finish()
            place = here
        }
        guard hasPeople else { return open.add(0, quarter.messages) }
        for pair in row.pairs[quarter.counts.pairs] { open.add(row.keys[pair.key].sender, pair.messages) }
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

/// The counts of people in a time that is not complete.
private struct OpenCounts {
    /// The counts of small numbers, which most people have.
    private var dense: [Int64] = []
    /// Those of them that have counts.
    private var people: [Int64] = []
    private var others: [Int64: Int64] = [:]

    private static let mostDense: Int64 = 1 << 18

    mutating func add(_ person: Int64, _ count: Int64) {
        guard person >= 0, person < Self.mostDense else { return others[person, default: 0] += count }
        if person >= Int64(dense.count) {
            dense += repeatElement(0, count: max(Int(person) + 1 - dense.count, dense.count))
        }
        if dense[Int(person)] == 0 { people.append(person) }
        dense[Int(person)] += count
    }

    /// Removes the counts and returns them.
    mutating func take() -> [(person: Int64, count: Int64)] {
        var counts = people.map { (person: $0, count: dense[Int($0)]) }
        for person in people { dense[Int(person)] = 0 }
        people.removeAll(keepingCapacity: true)
        counts += others.map { (person: $0.key, count: $0.value) }
        others.removeAll(keepingCapacity: true)
        return counts
    }
}

extension [HitCount] {
    /// Returns the counts by several properties in order: times in theirs; rooms and people by their counts, the highest
    /// first. Counts with equal names are added, so that times are summed over all accounts.
    func inOrder(of properties: [HitProperty]) -> [HitCount] {
        var tree = CountTree()
        for count in self { tree.add(count, by: properties) }
        return tree.inOrder(properties)
    }
}

extension [HitProperty] {
    /// True if one of the properties is of an account: a room or a person.
    var areOfAccounts: Bool { contains { $0.unit == nil } }
}

/// Counts by several names: a branch for each name of the first property, from it one for each name of the second, and so on.
private struct CountTree {
    private var nodes = [Node()]
    private var places: [Step: Int] = [:]

    private struct Node {
        /// Nil for a time, which all accounts share.
        var account: String?
        var name: String?
        var count: Int64 = 0
        var branches: [Int] = []
    }

    private struct Step: Hashable {
        var from: Int
        var account: String?
        var name: String?
    }

    mutating func add(_ count: HitCount, by properties: [HitProperty]) {
        var place = 0
        for (property, name) in zip(properties, count.names) {
            let step = Step(from: place, account: property.unit == nil ? count.account : nil, name: name)
            place = places[step] ?? branch(step)
            nodes[place].count += count.count
        }
    }

    private mutating func branch(_ step: Step) -> Int {
        let place = nodes.count
        nodes.append(Node(account: step.account, name: step.name))
        nodes[step.from].branches.append(place)
        places[step] = place
        return place
    }

    /// Returns a count for each row of names.
    func inOrder(_ properties: [HitProperty]) -> [HitCount] {
        var counts: [HitCount] = []
        func walk(_ place: Int, _ account: String?, _ names: [String?]) {
            guard names.count < properties.count else {
                counts.append(HitCount(account: account, names: names, count: nodes[place].count))
                return
            }
            for next in branches(of: place, by: properties[names.count]) {
                walk(next, nodes[next].account ?? account, names + [nodes[next].name])
            }
        }
        walk(0, nil, [])
        return counts
    }

    private func branches(of place: Int, by property: HitProperty) -> [Int] {
        nodes[place].branches.sorted { one, other in
            let (one, other) = (nodes[one], nodes[other])
            if let unit = property.unit { return unit.rank(one.name ?? "") < unit.rank(other.name ?? "") }
            guard one.count == other.count else { return one.count > other.count }
            return (one.account ?? "", one.name ?? "") < (other.account ?? "", other.name ?? "")
        }
    }
}
