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

    /// The first that is in the calendar, wherever it begins: `2026-11-21` of `#fosdem2025_2026-11-21.log`.
    init?(in name: String) {
        let bytes = Array(name.utf8)
        for start in bytes.indices {
            guard let (date, end) = Self.date(in: bytes[start...]),
                start == 0 || !(0x30...0x39).contains(bytes[start - 1]), LocalDay(date, zone: .gmt) != nil
            else { continue }
            self.date = date
            let isParted = start > 0 && "-_. ".utf8.contains(bytes[start - 1])
            let first = name.utf8.index(name.startIndex, offsetBy: isParted ? start - 1 : start)
            range = first..<name.utf8.index(name.startIndex, offsetBy: end)
            return
        }
        return nil
    }

    /// - Returns: the date at the beginning of the bytes, which no digit follows, and where it ends.
    private static func date(in bytes: ArraySlice<UInt8>) -> (CalendarDate, end: Int)? {
        var scanner = ByteScanner(bytes)
        guard let year = scanner.number(of: 4), (1000..<3000).contains(year) else { return nil }
        let mark = ["-", "_", "."].first { scanner.take($0) }
        guard let month = scanner.number(of: 2), mark.map({ scanner.take($0) }) ?? true,
            let day = scanner.number(of: 2),
            !(scanner.rest.first.map { (0x30...0x39).contains($0) } ?? false)
        else { return nil }
        return (CalendarDate(year: year, month: month, day: day), scanner.rest.startIndex)
    }
}
