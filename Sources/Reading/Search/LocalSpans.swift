import ChatModel

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
    /// The quarter of an hour of the last instant. Within a quarter of an hour of UTC, no zone changes its offset.
    private var quarter = Int64.min
    private var offset: Int64 = 0

    init(zone: Zone) {
        self.zone = zone
    }

    /// Returns the hours since 1970 in the zone.
    ///
    /// - Parameter instant: Microseconds since 1970 UTC.
    mutating func hour(of instant: Int64) -> Int64 {
        if instant / 900_000_000 != quarter {
            quarter = instant / 900_000_000
            offset = Int64(zone.secondsFromGMT(at: Timestamp(microseconds: instant))) * 1_000_000
        }
        // An id of a damaged file may be any number.
        return Self.floor(instant &+ offset, 3_600_000_000)
    }

    /// - Parameter hour: The hours since 1970 in the zone.
    static func name(of hour: Int64, _ unit: TimeUnit) -> String {
        let day = floor(hour, 24)
        let date = Timestamp(microseconds: 0).advanced(by: .seconds(day * 86_400)).description.prefix(10)
        switch unit {
        case .year: return String(date.prefix(4))
        case .month: return String(date.prefix(7))
        case .day: return String(date)
        // 1970-01-01 was a Thursday.
        case .weekday: return TimeUnit.weekdays[Int(day + 3 - floor(day + 3, 7) * 7)]
        case .hour:
            let hour = hour - day * 24
            return hour < 10 ? "0\(hour)" : "\(hour)"
        }
    }

    private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
        number / divisor - (number % divisor < 0 ? 1 : 0)
    }
}

/// Numbers of messages by the hour of a zone, from which those by longer units follow.
struct LocalSpans {
    private var local: LocalHours
    /// The counts by hours since 1970 in the zone.
    private var hours: [Int64: Int64] = [:]

    init(zone: Zone) {
        local = LocalHours(zone: zone)
    }

    /// Counts a message.
    ///
    /// - Parameter instant: Microseconds since 1970 UTC.
    mutating func add(_ instant: Int64) { hours[local.hour(of: instant), default: 0] += 1 }

    /// Returns the counts by a unit, in order of time.
    func counts(by unit: TimeUnit) -> [HitCount] {
        var counts: [String: Int64] = [:]
        for (hour, count) in hours { counts[LocalHours.name(of: hour, unit), default: 0] += count }
        return counts.map { HitCount(account: nil, name: $0.key, count: $0.value) }.inOrder(of: unit)
    }
}

extension [HitCount] {
    /// Returns the counts of each name together, in order of time.
    func inOrder(of unit: TimeUnit) -> [HitCount] {
        Dictionary(map { ($0.name ?? "", $0.count) }, uniquingKeysWith: +)
            .map { HitCount(account: nil, name: $0.key, count: $0.value) }
            .sorted { unit.rank($0.name ?? "") < unit.rank($1.name ?? "") }
    }

    /// Returns the highest count first.
    func highestFirst() -> [HitCount] {
        sorted { a, b in
            (b.count, a.account ?? "", a.name ?? "", a.id ?? 0) < (a.count, b.account ?? "", b.name ?? "", b.id ?? 0)
        }
    }
}
