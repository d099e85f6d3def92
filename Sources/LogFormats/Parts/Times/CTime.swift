import Bytes

/// A time as C's `ctime` writes it, in English whatever the user's language is: `Sat Nov 21 10:00:00 2026`.
struct CTime: Hashable {
    /// The date, which is in the calendar.
    let date: CalendarDate
    let clock: ClockTime

    /// The length of the text; the day of the month has two places.
    static let length = "Sat Nov 21 10:00:00 2026".utf8.count

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// Reads the whole text; nil for anything else.
    init?(_ text: ArraySlice<UInt8>) {
        guard text.count == Self.length else { return nil }
        var scanner = ByteScanner(text.dropFirst(4))
        guard Self.weekdays.contains(where: { text.starts(with: $0) }),
            let month = MonthName.number(scanner.rest.prefix(3))
        else { return nil }
        scanner = ByteScanner(scanner.rest.dropFirst(3))
        guard scanner.take(Byte.space),
            let day = scanner.take(Byte.space) ? scanner.number(of: 1) : scanner.number(of: 2),
            scanner.take(Byte.space), let clock = scanner.clock(), clock.second != nil, scanner.take(Byte.space),
            let year = scanner.number(of: 4), scanner.rest.isEmpty
        else { return nil }
        date = CalendarDate(year: year, month: month, day: day)
        guard date.daysSince1970 != nil else { return nil }
        self.clock = clock
    }

    /// Reads the time of `**** BEGIN LOGGING AT Sat Nov 21 06:23:11 2026` or `**** ENDING LOGGING AT …`, in any
    /// language; nil for another line.
    init?(ofLogging line: ArraySlice<UInt8>) {
        guard line.starts(with: "**** ") else { return nil }
        self.init(line.suffix(Self.length))
    }
}
