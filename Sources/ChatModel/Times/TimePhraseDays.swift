import Bytes
import FoundationEssentials

/// Reads days, weeks, months and years of the Gregorian calendar in one zone, from 1583, its first whole year, to 9999.
struct TimePhraseDays {
    private let calendar: Calendar
    private let now: Date

    /// A span of the calendar.
    typealias Span = (span: Range<Timestamp>, unit: Calendar.Component)

    /// 1583-01-01 UTC.
    static let earliest = Timestamp(microseconds: -12_212_553_600_000_000)
    static let tooEarly = TimePhraseError("times before 1583 can't be read")

    init(zone: TimeZone, now: Timestamp) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
        self.now = Date(timeIntervalSince1970: Double(now.microseconds) / 1_000_000)
    }

    /// - Parameter words: In lower case, with single spaces.
    func read(_ words: String) throws(TimePhraseError) -> Span {
        if let span = named(words) { return span }
        if let span = try numeric(words) { return span }
        if let span = try korean(words) { return span }
        if let span = try english(words) { return span }
        throw TimePhraseError()
    }

    /// Returns the day that begins a number of days after today.
    func day(_ offset: Int) -> Range<Timestamp> { span(.day, at: moved(.day, by: offset)) }

    /// Returns the instant a number of calendar months before now; the month's last day where it is shorter.
    func monthsAgo(_ count: Int) -> Timestamp { timestamp(moved(.month, by: -min(count, 100_000))) }

    /// Returns the instant of a local time. For a time that clocks skip, it is the instant of the change; for a time
    /// that they show twice, the first.
    func time(_ hour: Int, _ minute: Int, _ second: Int, of day: Range<Timestamp>) -> Timestamp {
        guard hour != 0 || minute != 0 || second != 0 else { return day.lowerBound }
        let start = Date(timeIntervalSince1970: Double(day.lowerBound.microseconds) / 1_000_000)
        var parts = calendar.dateComponents([.year, .month, .day], from: start)
        (parts.hour, parts.minute, parts.second) = (hour, minute, second)
        return calendar.date(from: parts).map(timestamp) ?? day.lowerBound
    }

    /// Reads `today`, `monday`, `last week`, `어제`, `지난주`. A week begins on Monday; a weekday is today's or the latest
    /// before, with `last` the latest before today.
    private func named(_ words: String) -> Span? {
        let units: [(Calendar.Component, offset: Int, names: Set<String>)] = [
            (.day, 0, ["today", "오늘"]), (.day, -1, ["yesterday", "어제"]),
            (.day, -2, ["the day before yesterday", "그저께", "그제"]),
            (.weekOfYear, 0, ["this week", "이번주", "이번 주"]), (.weekOfYear, -1, ["last week", "지난주", "지난 주"]),
            (.month, 0, ["this month", "이번달", "이번 달"]), (.month, -1, ["last month", "지난달", "지난 달"]),
            (.year, 0, ["this year", "올해"]), (.year, -1, ["last year", "작년", "지난해"]),
        ]
        if let (unit, offset, _) = units.first(where: { $0.names.contains(words) }) {
            return (span(unit, at: moved(unit, by: offset)), unit)
        }
        let weekdays: [Set<String>] = [
            ["sunday", "sun", "일요일"], ["monday", "mon", "월요일"], ["tuesday", "tue", "화요일"],
            ["wednesday", "wed", "수요일"], ["thursday", "thu", "목요일"], ["friday", "fri", "금요일"],
            ["saturday", "sat", "토요일"],
        ]
        let before = ["last ", "지난 "].first { words.hasPrefix($0) }
        let name = String(words.dropFirst(before?.count ?? 0))
        guard let weekday = weekdays.firstIndex(where: { $0.contains(name) }) else { return nil }
        let days = (calendar.component(.weekday, from: now) - 1 - weekday + 7) % 7
        return (day(days == 0 && before != nil ? -7 : -days), .day)
    }

    /// Reads `2010`, `2010-05`, `2010-05-03`, the same with `/` or `.`, and `20100503`.
    private func numeric(_ words: String) throws(TimePhraseError) -> Span? {
        if let match = words.wholeMatch(of: /([0-9]{4})([0-9]{2})([0-9]{2})/) {
            return try date(match.1, match.2, match.3)
        }
        let form = /([0-9]{4})(?:([-\/]|\. ?)([0-9]{1,2})(?:\2([0-9]{1,2}))?\.?)?/
        return try words.wholeMatch(of: form).map { match throws(TimePhraseError) in
            try date(match.1, match.3, match.4)
        }
    }

    /// Reads `2010년 5월 3일`, also without the day, the month or the year.
    private func korean(_ words: String) throws(TimePhraseError) -> Span? {
        let form = /(?:([0-9]{4})년)? ?(?:([0-9]{1,2})월(?: ?([0-9]{1,2})일)?)?/
        guard let match = words.wholeMatch(of: form), match.1 != nil || match.2 != nil else { return nil }
        return try date(match.1, match.2, match.3)
    }

    /// Reads `May 3 2010`, `3 May 2010`, also without the day or the year.
    private func english(_ words: String) throws(TimePhraseError) -> Span? {
        let form =
            /(?:([a-z]{3,9})\.?(?: ([0-9]{1,2})(?:st|nd|rd|th)?)?|([0-9]{1,2})(?:st|nd|rd|th)? ([a-z]{3,9})\.?),?(?: ([0-9]{4}))?/
        guard let match = words.wholeMatch(of: form), let name = match.1 ?? match.4,
            let month = Self.months.firstIndex(where: {
                let month = $0.lowercased()
                return name == month || name == month.prefix(3) || name == "sept" && month == "september"
            })
        else { return nil }
        return try date(match.5, "\(month + 1)", match.2 ?? match.3)
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Returns the year, month or day. Without a year it is the latest that has begun.
    private func date(
        _ year: Substring?, _ month: Substring?, _ day: Substring?
    ) throws(TimePhraseError) -> Span {
        let (month, day) = (month.flatMap { Int($0) }, day.flatMap { Int($0) })
        if let year = year.flatMap({ Int($0) }) { return try date(year, month, day) }
        let year = calendar.component(.year, from: now)
        // 29 February is up to eight years ago.
        for year in stride(from: year, through: year - 8, by: -1) {
            let span = try? date(year, month, day)
            if let span, span.span.lowerBound <= timestamp(now) { return span }
        }
        return try date(year, month, day)
    }

    private func date(_ year: Int, _ month: Int?, _ day: Int?) throws(TimePhraseError) -> Span {
        guard year >= 1583 else { throw Self.tooEarly }
        guard (1...12).contains(month ?? 1) else { throw TimePhraseError("months are 1 to 12") }
        let noon = calendar.date(from: DateComponents(year: year, month: month ?? 1, day: 1, hour: 12)) ?? now
        let days = calendar.range(of: .day, in: .month, for: noon) ?? 1..<32
        guard days.contains(day ?? 1) else {
            throw TimePhraseError("\(Self.months[(month ?? 1) - 1]) \(year) has \(days.count) days")
        }
        guard let month, let day, let number = CalendarDate(year: year, month: month, day: day).daysSince1970 else {
            let unit: Calendar.Component = month == nil ? .year : .month
            return (span(unit, at: noon), unit)
        }
        let span = CivilDay(number: Int64(number), zone: calendar.timeZone).span
        guard !span.isEmpty else { throw TimePhraseError("\(calendar.timeZone.identifier) skipped that day") }
        return (span, .day)
    }

    private func moved(_ unit: Calendar.Component, by offset: Int) -> Date {
        calendar.date(byAdding: unit, value: offset, to: now) ?? now
    }

    /// Returns the unit around an instant, between two local midnights.
    private func span(_ unit: Calendar.Component, at date: Date) -> Range<Timestamp> {
        guard unit != .day else { return CivilDay(containing: timestamp(date), in: calendar.timeZone).span }
        var calendar = calendar
        calendar.firstWeekday = 2
        guard let interval = calendar.dateInterval(of: unit, for: date) else {
            return timestamp(date)..<timestamp(date).advanced(by: .seconds(86_400))
        }
        return timestamp(interval.start)..<timestamp(interval.end)
    }

    /// Rounds midnights to the whole second: their `Double` may be slightly off. Other instants keep microseconds.
    private func timestamp(_ date: Date) -> Timestamp {
        Timestamp(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
    }
}
