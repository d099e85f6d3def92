import Bytes

/// Reads dates as phones write them in Korean, Japanese, Chinese and English. Accepts dates that are not in the
/// calendar.
extension ByteScanner {
    /// Takes all spaces: plain, no-break (U+00A0), thin (U+2009) and narrow no-break (U+202F).
    mutating func takeSpaces() {
        while take(Byte.space) || takeWideSpace() {}
    }

    private mutating func takeWideSpace() -> Bool {
        guard rest.first == 0xC2 || rest.first == 0xE2 else { return false }
        return take("\u{A0}") || take("\u{202F}") || take("\u{2009}")
    }

    /// Takes one to `digits` digits, and returns their value; nil if there is none, or one more.
    mutating func number(upTo digits: Int) -> Int? {
        var copy = self
        let bytes = copy.take(atMost: digits + 1, while: Byte.isDigit)
        guard !bytes.isEmpty, bytes.count <= digits else { return nil }
        self = copy
        return bytes.reduce(0) { $0 * 10 + Int($1 - Byte.zero) }
    }

    /// Takes `2026년 8월 7일`, `2026. 8. 7.`, `2026/08/07` or `2026年8月7日`. The spaces are optional, and the last mark
    /// of a date with points.
    mutating func yearFirstDate() -> CalendarDate? {
        var copy = self
        guard let year = copy.number(of: 4), let marks = copy.dateMarks() else { return nil }
        copy.takeSpaces()
        guard let month = copy.number(upTo: 2), copy.take(marks.month) else { return nil }
        copy.takeSpaces()
        guard let day = copy.number(upTo: 2), copy.take(marks.day) || marks.month == "." else { return nil }
        self = copy
        return CalendarDate(year: year, month: month, day: day)
    }

    /// Takes the mark after a year, and returns the marks after the month and the day.
    private mutating func dateMarks() -> (month: String, day: String)? {
        if take("년") { return ("월", "일") }
        if take(Byte.dot) { return (".", ".") }
        if take(Byte.slash) { return ("/", "") }
        return take("年") ? ("月", "日") : nil
    }

    /// Takes `December 31, 2014`, `Dec 31, 2014` or `31 December 2014`.
    mutating func namedMonthDate() -> CalendarDate? {
        var copy = self
        var day = copy.number(upTo: 2)
        copy.takeSpaces()
        guard let month = copy.monthName() else { return nil }
        copy.takeSpaces()
        if day == nil {
            day = copy.number(upTo: 2)
            _ = copy.take(Byte.comma)
            copy.takeSpaces()
        }
        guard let day, let year = copy.number(of: 4) else { return nil }
        self = copy
        return CalendarDate(year: year, month: month, day: day)
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let weekdays = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]

    /// Takes an English month, whole or its first three letters, and returns its number.
    private mutating func monthName() -> Int? { name(in: Self.months).map { $0 + 1 } }

    /// Takes an English day of the week, whole or its first three letters, and returns its number; 0 is Sunday.
    mutating func weekdayName() -> Int? { name(in: Self.weekdays) }

    private mutating func name(in names: [String]) -> Int? {
        var copy = self
        let word = copy.take(atMost: 10, while: Byte.isLetter)
        guard word.count >= 3 else { return nil }
        let found = names.firstIndex {
            (word.count == 3 || word.count == $0.utf8.count) && $0.utf8.starts(with: word) { $0 == $1 | 0x20 }
        }
        if found != nil { self = copy }
        return found
    }
}
