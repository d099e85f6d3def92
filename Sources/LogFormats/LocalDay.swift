import ChatModel
import Foundation

/// A day of a zone, and the instants of its clock's times.
struct LocalDay: Sendable, Equatable {
    /// When a clock shows a time: twice, in order, when it is set back over it.
    struct Instants {
        var first: Timestamp
        var second: Timestamp?
        /// The clock is set forward over it; `first` is so much later.
        var isSkipped = false
    }

    /// Midnight of the day if its zone were UTC, in seconds since 1970.
    private let midnight: Int64
    private let zone: TimeZone
    /// Seconds east of UTC a day before the day begins and a day after it ends. No zone changes twice within three days.
    private let offsets: (before: Int64, after: Int64)

    /// Nil for a date that is in no calendar.
    init?(_ date: CalendarDate, zone: TimeZone) {
        guard (1...9999).contains(date.year), (1...12).contains(date.month), (1...31).contains(date.day) else {
            return nil
        }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(date.year - 1900), Int32(date.month - 1), Int32(date.day))
        self.init(midnight: Int64(timegm(&parts)), zone: zone)
        // timegm turns 31 February into March.
        guard parts.tm_mon == Int32(date.month - 1), parts.tm_mday == Int32(date.day) else { return nil }
    }

    private init(midnight: Int64, zone: TimeZone) {
        self.midnight = midnight
        self.zone = zone
        offsets = (
            Self.offset(of: zone, at: midnight - 86_400), Self.offset(of: zone, at: midnight + 2 * 86_400)
        )
    }

    static func == (a: LocalDay, b: LocalDay) -> Bool { a.midnight == b.midnight }

    /// The end of the year 9999: a log that goes on and on stays there.
    private static let lastMidnight: Int64 = 253_402_300_800

    var previous: LocalDay { LocalDay(midnight: midnight - 86_400, zone: zone) }
    var next: LocalDay { LocalDay(midnight: min(midnight + 86_400, Self.lastMidnight), zone: zone) }

    /// - Parameter seconds: Since the day's midnight, as its clock shows.
    func instants(of seconds: Int) -> Instants {
        let local = midnight + Int64(seconds)
        func instant(_ offset: Int64) -> Timestamp { Timestamp(microseconds: (local - offset) * 1_000_000) }
        let (before, after) = offsets
        if before == after { return Instants(first: instant(before)) }
        let valid = [max(before, after), min(before, after)].filter {
            Self.offset(of: zone, at: local - $0) == $0
        }
        guard let first = valid.first else { return Instants(first: instant(before), isSkipped: true) }
        return Instants(first: instant(first), second: valid.count > 1 ? instant(valid[1]) : nil)
    }

    private static func offset(of zone: TimeZone, at seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }
}

extension LocalDay {
    /// The first date that a file's name has: `2026-11-21`, with `_` or `.` for `-`, or `20261121`.
    init?(named name: String, zone: TimeZone) {
        guard let found = NamedDate(in: name) else { return nil }
        self.init(found.date, zone: zone)
    }
}

/// A date in a file's name.
struct NamedDate {
    let date: CalendarDate
    /// With what parts it from the rest: `_20261121` of `#example_20261121.log`.
    let range: Range<String.Index>

    /// The first that is in the calendar.
    init?(in name: String) {
        for match in name.matches(of: /(?:^|[^0-9])([12][0-9]{3})([-_.]?)([0-9]{2})([-_.]?)([0-9]{2})(?![0-9])/) {
            let (_, year, first, month, second, day) = match.output
            guard first == second, let year = Int(year), let month = Int(month), let day = Int(day) else { continue }
            let found = CalendarDate(year: year, month: month, day: day)
            guard LocalDay(found, zone: .gmt) != nil else { continue }
            date = found
            let isParted = match.output.0.first.map { "-_. ".contains($0) } ?? false
            range = (isParted ? match.range.lowerBound : match.output.1.startIndex)..<match.range.upperBound
            return
        }
        return nil
    }
}
