import Bytes

/// The rule of a zone for all times after its last known change, as in the variable `TZ`:
/// `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX, with the hours of RFC 9636 §3.3.2).
struct ZoneRule: Sendable {
    /// A day of each year and a second of its local time, at which the offset changes.
    private struct Change: Sendable {
        enum Day: Sendable {
            /// A day from 1 to 365, without 29 February.
            case julian(Int)
            /// A day from 0 to 365.
            case ofYear(Int)
            /// A weekday, Sunday being 0, in a month; the last in week 5.
            case weekday(Int, week: Int, month: Int)
        }
        var day: Day
        var second: Int64
    }

    private let standard: Int
    private let summer: (offset: Int, start: Change, end: Change)?

    /// - Returns: Nil for another text.
    init?(_ text: ArraySlice<UInt8>) {
        var scanner = Scanner(rest: text)
        guard scanner.skipName(), let west = scanner.time(maximum: 24) else { return nil }
        standard = -Int(west)
        guard !scanner.rest.isEmpty else {
            summer = nil
            return
        }
        guard scanner.skipName() else { return nil }
        var offset = standard + 3600
        if scanner.rest.first != Byte.comma {
            guard let west = scanner.time(maximum: 24) else { return nil }
            offset = -Int(west)
        }
        guard let start = scanner.change(), let end = scanner.change(), scanner.rest.isEmpty else { return nil }
        summer = (offset, start, end)
    }

    func offset(at second: Int64) -> Int {
        guard let summer else { return standard }
        // Nothing overflows; the calendar repeats after 400 years, 146,097 days.
        let cycle: Int64 = 146_097 * 86_400
        let second = second % cycle
        let local = second + Int64(standard)
        let day = local / 86_400 - (local % 86_400 < 0 ? 1 : 0)
        let year = CalendarDate(daysSince1970: Int(day)).year
        let start = Self.second(summer.start, in: year) - Int64(standard)
        let end = Self.second(summer.end, in: year) - Int64(summer.offset)
        let isSummer = start < end ? (start..<end).contains(second) : !(end..<start).contains(second)
        return isSummer ? summer.offset : standard
    }

    /// Returns the local seconds since 1970-01-01 of a change.
    private static func second(_ change: Change, in year: Int) -> Int64 {
        let first = CalendarDate.days(year: year, month: 1)
        let isLeap = CalendarDate.days(year: year + 1, month: 1) - first == 366
        let day: Int
        switch change.day {
        case .julian(let number): day = first + number - 1 + (isLeap && number >= 60 ? 1 : 0)
        case .ofYear(let number): day = first + number
        case .weekday(let weekday, let week, let month):
            let start = CalendarDate.days(year: year, month: month)
            let next = CalendarDate.days(year: month == 12 ? year + 1 : year, month: month % 12 + 1)
            // 1970-01-01 was a Thursday, 4.
            let found = start + ((weekday - start - 4) % 7 + 7) % 7 + (week - 1) * 7
            day = found < next ? found : found - 7
        }
        return Int64(day) * 86_400 + change.second
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>

        /// Skips a designation: three letters or more, or any text in `<>`.
        mutating func skipName() -> Bool {
            if rest.first == UInt8(ascii: "<") {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
                rest = rest[(end + 1)...]
                return true
            }
            let letters = rest.prefix(while: Byte.isLetter)
            rest = rest[letters.endIndex...]
            return letters.count >= 3
        }

        /// Reads `9`, `-3:30` or `02:00:00` as seconds.
        mutating func time(maximum hours: Int) -> Int64? {
            let isNegative = rest.first == Byte.dash
            if isNegative || rest.first == Byte.plus { rest.removeFirst() }
            guard let hour = number(0...hours) else { return nil }
            var seconds = hour * 3600
            for unit in [60, 1] where skip(Byte.colon) {
                guard let part = number(0...59) else { return nil }
                seconds += part * unit
            }
            return Int64(isNegative ? -seconds : seconds)
        }

        /// Reads `,M3.5.0/2`, `,J60` or `,59`.
        mutating func change() -> Change? {
            guard skip(Byte.comma), let day = day() else { return nil }
            guard skip(Byte.slash) else { return Change(day: day, second: 7200) }
            return time(maximum: 167).map { Change(day: day, second: $0) }
        }

        private mutating func day() -> Change.Day? {
            if skip(UInt8(ascii: "J")) { return number(1...365).map { .julian($0) } }
            guard skip(UInt8(ascii: "M")) else { return number(0...365).map { .ofYear($0) } }
            guard let month = number(1...12), skip(Byte.dot), let week = number(1...5), skip(Byte.dot),
                let weekday = number(0...6)
            else { return nil }
            return .weekday(weekday, week: week, month: month)
        }

        private mutating func skip(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func number(_ range: ClosedRange<Int>) -> Int? {
            let digits = rest.prefix(while: Byte.isDigit)
            rest = rest[digits.endIndex...]
            guard digits.count <= 3, let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
            return range.contains(number) ? number : nil
        }
    }
}
