import Bytes

/// A line of a LINE text that begins a day or a record. Every other line continues the record before it.
enum LINELine {
    case day(LINEDay)
    case record(LINERecord)

    /// - Parameter separator: The byte between the columns of a record: a tab, or a space as LINE for Windows and macOS
    ///   may write it.
    init?(_ line: ArraySlice<UInt8>, separator: UInt8) {
        var scanner = ByteScanner(line)
        let day = LINEDay(taking: &scanner)
        if let day, scanner.rest.isBlank {
            self = .day(day)
            return
        }
        if day != nil { scanner.takeSpaces() }
        guard let time = DialTime(taking: &scanner), scanner.take(separator) else { return nil }
        self = .record(LINERecord(scanner.rest, day: day, time: time, separator: separator))
    }
}

/// A record of a LINE text: a message, or a notice of the app.
struct LINERecord {
    /// The day, if the line has one beside its time.
    let day: LINEDay?
    let time: DialTime
    /// The sender's name; nil for a notice.
    var sender: ArraySlice<UInt8>?
    /// The first line of the text.
    var text: ArraySlice<UInt8>

    /// - Parameter columns: The columns after the time: a name and a text, or a text alone.
    fileprivate init(_ columns: ArraySlice<UInt8>, day: LINEDay?, time: DialTime, separator: UInt8) {
        (self.day, self.time) = (day, time)
        guard let end = columns.firstIndex(of: separator) else {
            (sender, text) = (nil, columns)
            return
        }
        let name = columns[..<end].trimmed
        (sender, text) = (name.isEmpty ? nil : name, columns[(end + 1)...])
    }
}

/// A day in a LINE text: `2025/04/18(金)`, `2025.02.15 星期六`, `2026.01.15 Thursday`, `2025년 4월 18일 금요일`, `Fri,
/// 04/18/2025` or `ศ. 28/11/2568`. In the last two forms, the phone's country determines if the day or the month comes
/// first.
struct LINEDay: Equatable {
    private enum Numbers: Equatable {
        case certain(CalendarDate)
        /// Two numbers and a year, and the day of the week; 0 is Sunday.
        case ordered(Int, Int, year: Int, weekday: Int)
    }

    private let numbers: Numbers

    /// Takes a day with its day of the week, which a date with the year first may lack.
    init?(taking scanner: inout ByteScanner) {
        var copy = scanner
        if let date = copy.yearFirstDate() {
            numbers = .certain(CalendarDate(year: Self.gregorian(date.year), month: date.month, day: date.day))
            copy.takeDayOfWeek()
        } else if let weekday = copy.weekdayName() ?? copy.thaiWeekday() {
            _ = copy.take(Byte.comma)
            copy.takeSpaces()
            guard let first = copy.number(upTo: 2), copy.take(Byte.slash), let second = copy.number(upTo: 2),
                copy.take(Byte.slash), let year = copy.number(of: 4)
            else { return nil }
            numbers = .ordered(first, second, year: Self.gregorian(year), weekday: weekday)
        } else {
            return nil
        }
        scanner = copy
    }

    /// Returns the year of our calendar for one that may be of the Buddhist calendar, as phones in Thailand show it.
    private static func gregorian(_ year: Int) -> Int { year >= 2400 ? year - 543 : year }

    /// Returns the date. Uses the given order only if both orders give that day of the week, or neither does.
    func date(isMonthFirst: Bool) -> CalendarDate {
        switch numbers {
        case .certain(let date): return date
        case .ordered(let first, let second, let year, _):
            return self.isMonthFirst ?? isMonthFirst
                ? CalendarDate(year: year, month: first, day: second)
                : CalendarDate(year: year, month: second, day: first)
        }
    }

    /// True if the month comes first, false if the day does; nil if both orders or neither give that day of the week,
    /// or if the year comes first.
    var isMonthFirst: Bool? {
        guard case .ordered(let first, let second, let year, let weekday) = numbers else { return nil }
        let byMonth = CalendarDate(year: year, month: first, day: second).weekday == weekday
        let byDay = CalendarDate(year: year, month: second, day: first).weekday == weekday
        return byMonth == byDay ? nil : byMonth
    }

    /// True if only a given order distinguishes the day from the month.
    var isAmbiguous: Bool {
        guard case .ordered(let first, let second, _, _) = numbers else { return false }
        return isMonthFirst == nil && first != second
    }
}

extension CalendarDate {
    /// The day of the week, 0 for Sunday; nil for a date that is not in the calendar.
    fileprivate var weekday: Int? {
        // 1970-01-01 was a Thursday.
        daysSince1970.map { (($0 + 4) % 7 + 7) % 7 }
    }
}

extension ByteScanner {
    private static let thaiWeekdays = ["อาทิตย์", "จันทร์", "อังคาร", "พุธ", "พฤหัสบดี", "ศุกร์", "เสาร์"]
    /// A full stop follows each. The ones of two letters come before those that begin like them.
    private static let thaiAbbreviations = [
        ("อา.", 0), ("พฤ.", 4), ("จ.", 1), ("อ.", 2), ("พ.", 3), ("ศ.", 5), ("ส.", 6),
    ]

    /// Takes a Thai day of the week, `วันพฤหัสบดี`, `พฤหัสบดี` or `พฤ.`, and returns its number; 0 is Sunday.
    fileprivate mutating func thaiWeekday() -> Int? {
        // The first byte of Thai letters.
        guard rest.first == 0xE0 else { return nil }
        var copy = self
        _ = copy.take("วัน")
        guard
            let weekday = Self.thaiWeekdays.firstIndex(where: { copy.take($0) })
                ?? Self.thaiAbbreviations.first(where: { copy.take($0.0) })?.1
        else { return nil }
        self = copy
        return weekday
    }

    /// Takes `(金)`, `（四）`, ` 星期六`, `週二`, ` 月曜日`, ` 금요일`, ` Thursday` or ` วันพฤหัสบดี`.
    fileprivate mutating func takeDayOfWeek() {
        var copy = self
        copy.takeSpaces()
        if copy.take("(") || copy.take("（") {
            let word = copy.take(atMost: 12) { $0 >= 0x80 && $0 != 0xEF || Byte.isLetter($0) }
            guard !word.isEmpty, copy.take(")") || copy.take("）") else { return }
        } else if copy.weekdayName() == nil, copy.thaiWeekday() == nil {
            let word = copy.take(atMost: 9) { $0 >= 0x80 }
            guard
                ["星期", "週", "周"].contains(where: { word.starts(with: $0) })
                    || ["曜日", "요일"].contains(where: { word.dropFirst(3).elementsEqual($0.utf8) })
            else { return }
        }
        self = copy
    }
}
