import Bytes
import ChatModel

/// The beginnings of all sessions of a log, in order.
///
/// ircII and ScrollZ write no year, and a day has the same weekday again after five years at the earliest. The log is in
/// order, so each session shows the year of the one before it. Of the last session, the last possible year is taken.
struct IrcIISessions: LogSurvey {
    private var starts: [IrcIIStart] = []

    /// The limit of sessions that are kept. Of a log with more, each session is read by itself.
    private static let maximumCount = 100_000
    /// The limit of days by which a session may be later than the next one, because the clock was wrong or in another zone.
    private static let tolerance = 31

    var isComplete: Bool { starts.count > Self.maximumCount }

    mutating func inspectLine(_ line: ArraySlice<UInt8>) {
        if let start = IrcIIStart(line) { starts.append(start) }
    }

    /// The first year in which a session can have been: that of ircII.
    private static let firstYear = 1990

    /// Returns the date of each session, nil for one that is not in the calendar; empty if there are too many sessions, or if
    /// they are not in order.
    func dates(now: Timestamp) -> [CalendarDate?] {
        guard !isComplete, let latest = IrcIIStart.latest(now).daysSince1970 else { return [] }
        var limit = latest
        var dates: [CalendarDate?] = []
        for start in starts.reversed() {
            let date = start.date(until: CalendarDate(daysSince1970: limit))
            dates.append(date)
            guard let date, let days = date.daysSince1970 else { continue }
            if date.year < Self.firstYear { return [] }
            limit = min(days + Self.tolerance, latest)
        }
        return dates.reversed()
    }
}

/// `IRC log started Sat Nov 21 06:23[:11[ 2026]]`
struct IrcIIStart {
    let year: Int?
    let clock: ClockTime
    private let weekday: Int
    private let month: Int
    private let dayOfMonth: Int

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    init?(_ line: ArraySlice<UInt8>) {
        guard let text = line.after("IRC log started "), text.count > 10,
            // 1970-01-01 was a Thursday.
            let weekday = Self.weekdays.firstIndex(where: { text.starts(with: $0) }),
            let month = MonthName.number(text.dropFirst(4).prefix(3))
        else { return nil }
        var scanner = ByteScanner(text.dropFirst(7))
        guard scanner.take(Byte.space),
            let day = scanner.take(Byte.space) ? scanner.number(of: 1) : scanner.number(of: 2),
            scanner.take(Byte.space), let clock = scanner.clock()
        else { return nil }
        year = scanner.take(Byte.space) ? scanner.number(of: 4) : nil
        guard scanner.rest.isBlank else { return nil }
        (self.weekday, self.month, dayOfMonth, self.clock) = (weekday, month, day, clock)
    }

    /// Returns the date; without a year, the last one until `latest` that has the weekday. Nil for a date that is not in
    /// the calendar.
    func date(until latest: CalendarDate) -> CalendarDate? {
        if let year {
            let date = CalendarDate(year: year, month: month, day: dayOfMonth)
            return date.daysSince1970 == nil ? nil : date
        }
        // A weekday comes back after 40 years at the latest, for the 29th of February around a year such as 1900.
        return (0..<40).lazy.map { CalendarDate(year: latest.year - $0, month: month, day: dayOfMonth) }
            .first { date in
                guard let days = date.daysSince1970, let limit = latest.daysSince1970, days >= 0 else { return false }
                return days <= limit && days % 7 == weekday
            }
    }

    /// Returns the latest date that a session can have at this time, in any zone.
    static func latest(_ now: Timestamp) -> CalendarDate {
        CalendarDate(daysSince1970: Int(min(now.microseconds, lastTime) / 86_400_000_000) + 1)
    }

    /// 2100-01-01 UTC, for a caller without a clock.
    private static let lastTime: Int64 = 4_102_444_800_000_000
}
