import Bytes
import ChatModel
import Records

/// A unit of local time by which messages are counted.
package enum TimeUnit: String, Sendable, Hashable, CaseIterable {
    case year, month, day, weekday, hour

    /// The names of all days of the week, in order.
    package static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// Returns the place of a name among those of its unit.
    package func rank(_ name: String) -> (Int, String) {
        (self == .weekday ? Self.weekdays.firstIndex(of: name) ?? 0 : 0, name)
    }
}

/// The hours of a zone. Fast for instants in order.
struct LocalHours {
    private let zone: Zone
    /// The quarter of an hour of the last instant.
    private var quarter: Int64?
    /// Its offset in microseconds; nil if the offset changes within it, as that of old local times does.
    private var offset: Int64?

    init(zone: Zone) {
        self.zone = zone
    }

    /// Returns the hours since 1970 in the zone.
    ///
    /// - Parameter instant: Microseconds since 1970 UTC.
    mutating func hour(of instant: Int64) -> Int64 {
        let number = QuarterHour.number(of: instant)
        if number != quarter {
            quarter = number
            let (first, last) = (number * 900, number * 900 + 899)
            let seconds = zone.secondsFromGMT(at: first)
            offset = seconds == zone.secondsFromGMT(at: last) ? Int64(seconds) * 1_000_000 : nil
        }
        let offset = offset ?? Int64(zone.secondsFromGMT(at: Timestamp(microseconds: instant))) * 1_000_000
        // An id of a damaged file may be any number.
        return Self.floor(instant &+ offset, 3_600_000_000)
    }

    /// - Parameter hour: The hours since 1970 in the zone.
    static func name(of hour: Int64, _ unit: TimeUnit) -> String {
        let day = floor(hour, 24)
        switch unit {
        case .year: return String(CivilDay.name(of: day).prefix(4))
        case .month: return String(CivilDay.name(of: day).prefix(7))
        case .day: return CivilDay.name(of: day)
        // 1970-01-01 was a Thursday.
        case .weekday: return TimeUnit.weekdays[Int(day + 3 - floor(day + 3, 7) * 7)]
        case .hour:
            let hour = hour - day * 24
            return hour < 10 ? "0\(hour)" : "\(hour)"
        }
    }

    static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
        number / divisor - (number % divisor < 0 ? 1 : 0)
    }
}

/// Numbers of messages by the day and by the hour of the day of a zone, from which those by other units follow.
struct LocalSpans {
    private var local: LocalHours
    /// The counts by days since 1970 in the zone.
    private var days = RunTally()
    /// The counts by the hour of the day.
    private var hours = [Int64](repeating: 0, count: 24)

    init(zone: Zone) {
        local = LocalHours(zone: zone)
    }

    /// Counts a message.
    ///
    /// - Parameter instant: Microseconds since 1970 UTC.
    mutating func add(_ instant: Int64) { add(hour: local.hour(of: instant), 1) }

    mutating func add(_ quarter: LocalQuarter) { add(hour: quarter.hour, quarter.messages) }

    private mutating func add(hour: Int64, _ count: Int64) {
        let day = LocalHours.floor(hour, 24)
        days.add(day, count)
        hours[Int(hour - day * 24)] += count
    }

    /// Returns the counts by a unit, in order of time.
    func counts(by unit: TimeUnit) -> [HitCount] {
        if unit == .hour {
            return hours.indices.filter { hours[$0] > 0 }.map {
                HitCount(account: nil, name: LocalHours.name(of: Int64($0), .hour), count: hours[$0])
            }
        }
        // Naming each day takes longer than counting.
        var counts: [Int64: (day: Int64, count: Int64)] = [:]
        for (day, count) in days.counts {
            counts[unit.number(ofDay: day), default: (day, 0)].count += count
        }
        return counts.sorted { $0.key < $1.key }.map {
            HitCount(account: nil, name: LocalHours.name(of: $0.value.day * 24, unit), count: $0.value.count)
        }.inOrder(of: unit)
    }
}

extension LocalSpans: JoinedTally {
    var needsPeople: Bool { false }

    mutating func join(_ other: LocalSpans) {
        days.join(other.days)
        for hour in hours.indices { hours[hour] += other.hours[hour] }
    }

    mutating func add(_ id: Int64, room: Int64, sender: Int64?) { add(id) }

    mutating func add(_ quarter: LocalQuarter, of row: CountRow, room: Int64) { add(quarter) }
}

extension TimeUnit {
    /// Returns a number that all days of the same year, month or weekday share, and no others.
    ///
    /// - Parameter day: The days since 1970.
    func number(ofDay day: Int64) -> Int64 {
        let date = CalendarDate(daysSince1970: Int(day))
        switch self {
        case .year: return Int64(date.year)
        case .month: return Int64(date.year * 12 + date.month)
        // 1970-01-01 was a Thursday.
        case .weekday: return day + 3 - LocalHours.floor(day + 3, 7) * 7
        case .day, .hour: return day
        }
    }
}

extension [HitCount] {
    /// Returns the counts of each name together, in order of time.
    func inOrder(of unit: TimeUnit) -> [HitCount] {
        // Those of one account are in order, each name once.
        let ranks = map { unit.rank($0.name ?? "") }
        if zip(ranks, ranks.dropFirst()).allSatisfy({ $0 < $1 }) { return self }
        return Dictionary(map { ($0.name ?? "", $0.count) }, uniquingKeysWith: +)
            .map { HitCount(account: nil, name: $0.key, count: $0.value) }
            .sorted { unit.rank($0.name ?? "") < unit.rank($1.name ?? "") }
    }

    /// Returns the highest count first.
    func highestFirst() -> [HitCount] {
        // Sorting moves its elements often, and counts are large.
        let counts = map(\.count)
        return indices.sorted { one, other in
            guard counts[one] == counts[other] else { return counts[one] > counts[other] }
            let (one, other) = (self[one], self[other])
            return (one.account ?? "", one.name ?? "", one.id ?? 0) < (
                other.account ?? "", other.name ?? "", other.id ?? 0
            )
        }.map { self[$0] }
    }
}
