import Bytes
import ChatModel

/// A day of a zone, and the instants of its clock's times.
struct LocalDay: Sendable, Equatable {
    /// The instants at which a clock shows a time: two, in order, if the clock is set back over it.
    struct Instants {
        var first: Timestamp
        var second: Timestamp?
        /// True if the clock is set forward over the time. `first` is later by the same amount.
        var isSkipped = false
    }

    /// Midnight of the day, in seconds since 1970, as if the zone were UTC.
    private let midnight: Int64
    private let zone: Zone
    /// Seconds east of UTC a day before the day begins and a day after it ends. No zone changes twice within three
    /// days.
    private let offsets: (before: Int64, after: Int64)

    /// Nil for a date that is not in the calendar.
    init?(_ date: CalendarDate, zone: Zone) {
        guard date.year >= 1, let days = date.daysSince1970 else { return nil }
        self.init(midnight: Int64(days) * 86_400, zone: zone)
    }

    private init(midnight: Int64, zone: Zone) {
        self.midnight = midnight
        self.zone = zone
        offsets = (
            Self.offset(of: zone, at: midnight - 86_400), Self.offset(of: zone, at: midnight + 2 * 86_400)
        )
    }

    static func == (a: LocalDay, b: LocalDay) -> Bool { a.midnight == b.midnight }

    /// Midnight after the year 9999, in seconds since 1970. A log that continues after it stays on that day.
    private static let lastMidnight: Int64 = 253_402_300_800

    var previous: LocalDay { LocalDay(midnight: midnight - 86_400, zone: zone) }
    var next: LocalDay { LocalDay(midnight: min(midnight + 86_400, Self.lastMidnight), zone: zone) }

    /// Returns the instants of a time of the day.
    ///
    /// - Parameter seconds: The time since midnight that the clock shows.
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

    private static func offset(of zone: Zone, at seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(at: seconds))
    }
}

extension LocalDay {
    /// Reads the first date in a file's name: `2026-11-21`, with `_` or `.` for `-`, `20261121` or `21Nov2026`.
    init?(named name: String, zone: Zone) {
        guard let found = NamedDate(in: name) else { return nil }
        self.init(found.date, zone: zone)
    }
}

/// A date in a file's name.
struct NamedDate {
    let date: CalendarDate
    /// The date with the mark before it: `_20261121` in `#example_20261121.log`.
    let range: Range<String.Index>

    /// Finds the first valid date, wherever it begins: `2026-11-21` in `#fosdem2025_2026-11-21.log`.
    init?(in name: String) {
        let bytes = Array(name.utf8)
        for start in bytes.indices {
            guard let (date, end) = Self.date(in: bytes[start...]) ?? Self.dayFirst(in: bytes[start...]),
                start == 0 || !(0x30...0x39).contains(bytes[start - 1]), LocalDay(date, zone: .gmt) != nil
            else { continue }
            self.date = date
            let isParted = start > 0 && "-_. ".utf8.contains(bytes[start - 1])
            let first = name.utf8.index(name.startIndex, offsetBy: isParted ? start - 1 : start)
            range = first..<name.utf8.index(name.startIndex, offsetBy: Self.endOfTime(in: bytes, after: end))
            return
        }
        return nil
    }

    /// Returns the end of a time after a date, such as `-17.01` in `example.2026-11-21-17.01.log.txt`, as MeetBot names
    /// the logs of meetings, and `-170100`; the date's end if there is none.
    private static func endOfTime(in bytes: [UInt8], after end: Int) -> Int {
        var scanner = ByteScanner(bytes[end...])
        guard scanner.take("-") || scanner.take("T") || scanner.take("_"), let hour = scanner.number(of: 2), hour < 24,
            case let hasPoint = scanner.take("."), let minute = scanner.number(of: 2), minute < 60,
            hasPoint || scanner.number(of: 2).map({ $0 <= 60 }) ?? false,
            scanner.rest.first == Byte.dot || scanner.rest.isEmpty
        else { return end }
        return scanner.rest.startIndex
    }

    /// - Returns: The date at the beginning of the bytes, if no digit follows, and its end.
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

    /// Reads `21Nov2026`, as eggdrop 1.8.4 names the logs of past days.
    private static func dayFirst(in bytes: ArraySlice<UInt8>) -> (CalendarDate, end: Int)? {
        var scanner = ByteScanner(bytes)
        guard let day = scanner.number(of: 2), case let word = scanner.take(atMost: 3, while: Byte.isLetter),
            word.count == 3, let month = MonthName.number(word), let year = scanner.number(of: 4),
            (1000..<3000).contains(year), !(scanner.rest.first.map(Byte.isDigit) ?? false)
        else { return nil }
        return (CalendarDate(year: year, month: month, day: day), scanner.rest.startIndex)
    }
}
