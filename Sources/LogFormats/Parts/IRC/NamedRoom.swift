import Bytes

/// The room in the name of a log's file, without a date that lacks the year, the month or the day, such as `.11-27` in
/// `#example.11-27.log` (the example for `autolog_path` in irssi's manual).
///
/// Such an end of a name may belong to the room (`#fosdem.2026`). It is a date if the log's lines name the room
/// without it, or if it agrees with all days of the log's beginning.
struct NamedRoom {
    /// The name, as the log's lines write it if they name the room: `#Mix/ed` for `#mix_ed.log`.
    let name: String
    /// The end of the file's name that is read as a date: `.11-27`; nil if there is none.
    let date: String?
    /// True if a line names the room as one that people join, or the account has it under this name.
    let isJoined: Bool

    /// - Parameters:
    ///   - joined: The rooms that the log's lines name.
    ///   - room: Returns the room in a file's name that has neither extensions nor a date; nil if it has none.
    /// - Returns: Nil if the file's name has no room.
    init?(in source: LogSource, joined: [String], room: (String) -> String?) {
        let stem = RoomName.stem(of: source.name)
        guard let whole = room(stem) else { return nil }
        func written(_ name: String) -> String? {
            Self.written(name, in: joined) ?? source.rooms.room(inFileName: name)
        }
        if let name = written(whole) {
            (self.name, date, isJoined) = (name, nil, true)
            return
        }
        let dates = DateEnd.all(of: stem)
        for date in dates {
            guard let short = room(String(stem.dropLast(date.text.count))), let name = written(short)
            else { continue }
            (self.name, self.date, isJoined) = (name, date.text, true)
            return
        }
        let days = dates.isEmpty ? LogDays() : LogDays.days(of: source)
        let explained = dates.first { $0.isExplained(by: days) }
        (name, date) =
            explained.flatMap { end in
                room(String(stem.dropLast(end.text.count))).map { ($0, end.text) }
            } ?? (whole, nil)
        isJoined = false
    }

    /// The name, if the file's name has such a date; nil otherwise.
    var nameBeforeDate: String? { date == nil ? nil : name }

    /// Returns the room that a file's name stands for. irssi 1.4.3 and WeeChat 3.8 write `#mix_ed` for `#Mix/ed`,
    /// Limnoria 2023.1.28 `#mixed`, sopel-chanlogs 0.3.1 `mix__ed`.
    static func written(_ name: String, in joined: [String]) -> String? {
        let wanted = folded(name)
        return joined.first { $0 == name } ?? joined.first { !wanted.isEmpty && folded($0) == wanted }
    }

    /// Returns the letters and digits in lower case.
    private static func folded(_ name: String) -> String {
        String(name.lowercased().filter { !$0.isASCII || $0.isLetter || $0.isNumber })
    }
}

/// The end of a file's name that may be a part of a date: `.11-27`, `-2026-11`, `.2026`, `.27`, `.26-11-27`, `-Nov-2026`,
/// `.2026-W48`.
struct DateEnd {
    /// The end with the mark before it.
    let text: String
    private let mark: Character
    private let groups: [Substring]

    /// Returns the possible ends of a name without extensions, the longest first.
    static func all(of stem: String) -> [DateEnd] {
        // Three parts, such as `_27-September-2026`, with their marks.
        let end = stem.suffix(20).reversed().prefix {
            $0.isASCII && ($0.isNumber || $0.isLetter) || "-_.".contains($0)
        }.reversed()
        let text = String(end)
        let starts = text.indices.filter { "-_.".contains(text[$0]) }.suffix(3)
        let ends = starts.compactMap { start -> DateEnd? in
            let groups = text[start...].dropFirst().split(omittingEmptySubsequences: false) { "-_.".contains($0) }
            guard
                groups.allSatisfy({ group in
                    group.allSatisfy(\.isNumber)
                        ? [2, 4, 6].contains(group.count) : Self.month(group) != nil || Self.week(group) != nil
                })
            else { return nil }
            return DateEnd(text: String(text[start...]), mark: text[start], groups: groups)
        }
        // The year after a month's name is a part of that date.
        let months = ends.filter { $0.groups.count > 1 && $0.groups.dropLast().last.flatMap(month) != nil }
        return months.contains { $0.groups.last?.count == 4 } ? months : ends
    }

    /// Returns the number of an English month's name or its first three letters.
    private static func month(_ group: Substring) -> Int? {
        guard group.allSatisfy(\.isLetter), group.count >= 3 else { return nil }
        return MonthName.number(Array(group.utf8)[...])
    }

    /// Returns the number of a week, as in `W48`.
    private static func week(_ group: Substring) -> Int? {
        group.count == 3 && group.first == "W" ? Int(group.dropFirst()) : nil
    }

    /// Returns true if all days have this part of their dates; false without days.
    func isExplained(by days: LogDays) -> Bool {
        if let month = groups.lazy.compactMap(Self.month).first { return isExplained(by: days, month: month) }
        if let week = groups.last.flatMap(Self.week) { return isExplained(by: days, week: week) }
        let numbers = groups.compactMap { Int($0) }
        return !days.isEmpty && numbers.count == groups.count && days.allSatisfy { matches($0, numbers) }
    }

    /// With a month's name, four digits are the year, and two a day or the end of a year. A month alone counts only after
    /// a point, because a channel may be `#example-dec`.
    private func isExplained(by days: LogDays, month: Int) -> Bool {
        let others = groups.filter { $0.allSatisfy(\.isNumber) }.map { (count: $0.count, number: Int($0) ?? 0) }
        guard !days.isEmpty, others.count >= groups.count - 1, mark == "." || !others.isEmpty else { return false }
        return days.allSatisfy { date in
            date.month == month
                && others.allSatisfy { other in
                    other.count == 4
                        ? other.number == date.year
                        : other.count == 2 && [date.day, date.year % 100].contains(other.number)
                }
        }
    }

    private func isExplained(by days: LogDays, week: Int) -> Bool {
        let years = groups.dropLast().map { Int($0) }
        guard !days.isEmpty, years.count == 1 || years.isEmpty && mark == "." else { return false }
        return days.allSatisfy { date in
            guard let found = date.weekOfYear else { return false }
            return found.week == week && years.allSatisfy { $0 == found.year }
        }
    }

    private func matches(_ date: CalendarDate, _ numbers: [Int]) -> Bool {
        let (year, month, day) = (date.year, date.month, date.day)
        let short = year % 100
        switch groups.map(\.count) {
        // A channel of an event is `#example-2026`, and a nick `alice_27`. Neither is likely with a point.
        case [4]: return mark == "." && numbers == [year] || numbers == [month * 100 + day]
        case [2]: return mark == "." && numbers == [day]
        case [6]: return numbers == [year * 100 + month] || numbers == [(short * 100 + month) * 100 + day]
        case [4, 2]: return numbers == [year, month]
        case [2, 4]: return numbers == [month, year]
        case [2, 2]: return numbers == [month, day] || numbers == [day, month] || numbers == [short, month]
        case [2, 2, 2]: return numbers == [short, month, day] || numbers == [day, month, short]
        case [2, 2, 4]: return numbers == [day, month, year] || numbers == [month, day, year]
        default: return false
        }
    }
}

extension CalendarDate {
    /// The week and its year (ISO 8601): a week belongs to the year that has its Thursday. Nil for a date that does not exist.
    fileprivate var weekOfYear: (year: Int, week: Int)? {
        guard let number = daysSince1970 else { return nil }
        // 1970-01-01 was a Thursday.
        let weekday = ((number + 3) % 7 + 7) % 7
        let thursday = number - weekday + 3
        let year = CalendarDate(daysSince1970: thursday).year
        guard let first = CalendarDate(year: year, month: 1, day: 1).daysSince1970 else { return nil }
        return (year, (thursday - first) / 7 + 1)
    }
}

/// The days that the beginning of a log names.
struct LogDays {
    private var days: Set<CalendarDate> = []
    /// True if times have a zone. A client may name the file after its own day, which is the day before or after.
    private var hasZones = false

    var isEmpty: Bool { days.isEmpty }

    static func days(of source: LogSource) -> LogDays {
        var days = LogDays()
        var year: HexChatYear?
        for var line in IRCLog.eachLine(of: source.beginning) {
            if let date = IrssiDateLine(line) {
                // irssi 1.4.3 closes a day's log after midnight.
                if date.beginsDay, let date = date.date { days.days.insert(date) }
            } else if let time = CTime(ofLogging: line) {
                days.days.insert(time.date)
                year = HexChatYear(time.date)
            } else if LineStamp.mayHaveDate(line), let stamp = LineStamp(taking: &line, brackets: .optional) {
                if let date = stamp.date { days.days.insert(date) }
                days.hasZones = days.hasZones || stamp.offset != nil
            } else if year != nil, let stamp = HexChatStamp(taking: &line), let date = year?.stamp(stamp).date {
                days.days.insert(date)
            }
        }
        return days
    }

    /// Returns true if the condition holds for each day; of the days around it, one is enough if times have a zone.
    func allSatisfy(_ condition: (CalendarDate) -> Bool) -> Bool {
        days.allSatisfy { day in
            guard !condition(day) else { return true }
            guard hasZones, let number = day.daysSince1970 else { return false }
            return [number - 1, number + 1].contains { condition(CalendarDate(daysSince1970: $0)) }
        }
    }
}
