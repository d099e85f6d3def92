import Bytes

/// Reads days, weeks, months and years of the Gregorian calendar in one zone, from 1583, its first whole year, to 9999.
struct TimePhraseDays {
    private let zone: Zone
    private let now: Timestamp
    private let today: CivilDay

    enum Unit {
        case day
        /// Seven days from Monday on.
        case week
        case month
        case year
    }

    /// A span of the calendar.
    typealias Span = (span: Range<Timestamp>, unit: Unit)

    /// 1583-01-01 UTC.
    static let earliest = Timestamp(microseconds: -12_212_553_600_000_000)
    static let tooEarly = TimePhraseError("times before 1583 can't be read")

    init(zone: Zone, now: Timestamp) {
        (self.zone, self.now) = (zone, now)
        today = CivilDay(containing: now, in: zone)
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
    func day(_ offset: Int) -> Range<Timestamp> { day(number: today.number + Int64(offset)).span }

    /// Returns the instant a number of calendar months before now; the month's last day where it is shorter.
    func monthsAgo(_ count: Int) -> Timestamp {
        let clock = Int64(zone.secondsFromGMT(at: now)) * 1_000_000
        let local = now.advanced(byMicroseconds: clock - today.number * 86_400_000_000).microseconds
        let (second, fraction) = local.quotientAndRemainder(dividingBy: 1_000_000)
        return day(number: moved(.month, by: -min(count, 100_000))).time(second).advanced(byMicroseconds: fraction)
    }

    /// Returns the instant of a local time. For a time that clocks skip, it is the instant of the change; for a time
    /// that they show twice, the first.
    func time(_ hour: Int, _ minute: Int, _ second: Int, of day: Range<Timestamp>) -> Timestamp {
        guard hour != 0 || minute != 0 || second != 0 else { return day.lowerBound }
        return CivilDay(containing: day.lowerBound, in: zone).time(Int64(hour * 3600 + minute * 60 + second))
    }

    /// Reads `today`, `monday`, `last week`, `어제`, `지난주`. A week begins on Monday; a weekday is today's or the latest
    /// before, with `last` the latest before today.
    private func named(_ words: String) -> Span? {
        let units: [(Unit, offset: Int, names: Set<String>)] = [
            (.day, 0, ["today", "오늘"]), (.day, -1, ["yesterday", "어제"]),
            (.day, -2, ["the day before yesterday", "그저께", "그제"]),
            (.week, 0, ["this week", "이번주", "이번 주"]), (.week, -1, ["last week", "지난주", "지난 주"]),
            (.month, 0, ["this month", "이번달", "이번 달"]), (.month, -1, ["last month", "지난달", "지난 달"]),
            (.year, 0, ["this year", "올해"]), (.year, -1, ["last year", "작년", "지난해"]),
        ]
        if let (unit, offset, _) = units.first(where: { $0.names.contains(words) }) {
            return (span(unit, around: moved(unit, by: offset)), unit)
        }
        let weekdays: [Set<String>] = [
            ["sunday", "sun", "일요일"], ["monday", "mon", "월요일"], ["tuesday", "tue", "화요일"],
            ["wednesday", "wed", "수요일"], ["thursday", "thu", "목요일"], ["friday", "fri", "금요일"],
            ["saturday", "sat", "토요일"],
        ]
        let before = ["last ", "지난 "].first { words.hasPrefix($0) }
        let name = String(words.dropFirst(before?.count ?? 0))
        guard let weekday = weekdays.firstIndex(where: { $0.contains(name) }) else { return nil }
        // 1970-01-01 was a Thursday, 4.
        let days = (Int(today.number % 7) + 4 - weekday + 14) % 7
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
        let year = CalendarDate(daysSince1970: Int(today.number)).year
        // 29 February is up to eight years ago.
        for year in stride(from: year, through: year - 8, by: -1) {
            let span = try? date(year, month, day)
            if let span, span.span.lowerBound <= now { return span }
        }
        return try date(year, month, day)
    }

    private func date(_ year: Int, _ month: Int?, _ day: Int?) throws(TimePhraseError) -> Span {
        guard year >= 1583 else { throw Self.tooEarly }
        guard (1...12).contains(month ?? 1) else { throw TimePhraseError("months are 1 to 12") }
        let days = CalendarDate(year: year, month: month ?? 1, day: 1).daysOfMonth
        guard (1...days).contains(day ?? 1) else {
            throw TimePhraseError("\(Self.months[(month ?? 1) - 1]) \(year) has \(days) days")
        }
        let first = Int64(CalendarDate.days(year: year, month: month ?? 1))
        guard month != nil, let day else {
            let unit: Unit = month == nil ? .year : .month
            return (span(unit, around: first), unit)
        }
        let span = CivilDay(number: first + Int64(day) - 1, zone: zone).span
        guard !span.isEmpty else { throw TimePhraseError("\(zone.identifier) skipped that day") }
        return (span, .day)
    }

    /// Returns the number of the day that is so many units after today. In a shorter month, it is the last.
    private func moved(_ unit: Unit, by offset: Int) -> Int64 {
        let date = CalendarDate(daysSince1970: Int(today.number))
        switch unit {
        case .day: return today.number + Int64(offset)
        case .week: return today.number + 7 * Int64(offset)
        case .month, .year:
            let months = date.year * 12 + date.month - 1 + offset * (unit == .year ? 12 : 1)
            let year = months >= 0 ? months / 12 : (months - 11) / 12
            let month = CalendarDate(year: year, month: months - year * 12 + 1, day: 1)
            return Int64(CalendarDate.days(year: year, month: month.month) + min(date.day, month.daysOfMonth) - 1)
        }
    }

    /// Returns a day; the one before if the zone skipped it.
    private func day(number: Int64) -> CivilDay {
        let day = CivilDay(number: number, zone: zone)
        return day.span.isEmpty ? CivilDay(number: number - 1, zone: zone) : day
    }

    /// Returns the unit around a day, between two local midnights.
    private func span(_ unit: Unit, around number: Int64) -> Range<Timestamp> {
        let date = CalendarDate(daysSince1970: Int(number))
        switch unit {
        case .day: return day(number: number).span
        case .week:
            // 1970-01-01 was a Thursday, three days after Monday.
            let monday = number - ((number + 3) % 7 + 7) % 7
            return start(monday)..<start(monday + 7)
        case .month:
            let first = CalendarDate.days(year: date.year, month: date.month)
            return start(
                Int64(first))..<start(
                    Int64(first + CalendarDate(year: date.year, month: date.month, day: 1).daysOfMonth))
        case .year:
            let first = CalendarDate.days(year: date.year, month: 1)
            return start(Int64(first))..<start(Int64(CalendarDate.days(year: date.year + 1, month: 1)))
        }
    }

    private func start(_ number: Int64) -> Timestamp { CivilDay(number: number, zone: zone).span.lowerBound }
}
