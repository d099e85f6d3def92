import Bytes
import ChatModel

/// A time, with or without a date, as the C library and Qt write it in a user's language: `23:59:57`, `11:59:57 PM`,
/// `오후 11시 59분 57초`, `11/27/26 23:59:57`, `27.11.2026 23:59`.
struct LocaleTime: Hashable {
    /// The seconds since midnight.
    let seconds: Int
    let resolution: TimeResolution
    /// The possible dates, because the order of the numbers is the language's; empty for a time without a date.
    let dates: [CalendarDate]

    /// 80 bytes: the longest real one, in Korean with a weekday, has 60.
    static let maximumLength = 80

    /// Reads the whole text; nil for anything else.
    init?(_ text: ArraySlice<UInt8>) {
        guard text.count <= Self.maximumLength, let (clock, range) = Self.clock(in: text) else { return nil }
        let (before, first) = Self.parted(text[..<range.lowerBound], halfIsLast: true)
        let (after, last) = Self.parted(text[range.upperBound...], halfIsLast: false)
        guard let hour = (first ?? last ?? DayHalf.none).hour(clock.hour, most: 24) else { return nil }
        seconds = hour * 3600 + clock.minute * 60 + (clock.second ?? 0)
        resolution = clock.second == nil ? .minute : .second
        // `Fri Nov 27 23:59:57 2026` has a part of the date on either side.
        let rest = before + [Byte.space] + after
        dates = rest.isBlank ? [] : LocaleDate.candidates(rest)
        guard rest.isBlank || !dates.isEmpty else { return nil }
    }

    /// Returns the possible date that is nearest to a day, and at most a day after it; nil without a date.
    func date(nearest day: CalendarDate) -> CalendarDate? {
        guard let wanted = day.daysSince1970 else { return dates.first }
        let numbered = dates.compactMap { date in date.daysSince1970.map { (date, distance: abs($0 - wanted)) } }
        return numbered.min { $0.distance < $1.distance }?.0
    }

    // MARK: - Parts

    /// Finds `23:59:57`, `23:59`, `23.59.57`, `11시 59분 57초` or `11時59分57秒`.
    private static func clock(in text: ArraySlice<UInt8>) -> (clock: ClockTime, range: Range<Int>)? {
        // Points also stand in dates.
        for marks in [["시", "時", "时", ":", "h"], ["."]] {
            for start in text.indices where Byte.isDigit(text[start]) {
                if start > text.startIndex, Byte.isDigit(text[start - 1]) { continue }
                var scanner = ByteScanner(text[start...])
                if let clock = scanner.localeClock(marks) { return (clock, start..<scanner.rest.startIndex) }
            }
        }
        return nil
    }

    private static let halves = ["오전", "오후", "午前", "午後", "上午", "下午", "AM", "PM", "am", "pm", "a.m.", "p.m."]

    /// Returns the text beside a clock without spaces and without the word for the half of the day, and that word.
    private static func parted(
        _ text: ArraySlice<UInt8>, halfIsLast: Bool
    ) -> (rest: ArraySlice<UInt8>, half: DayHalf?) {
        let text = text.trimmed
        for word in halves {
            if halfIsLast, text.suffix(word.utf8.count).elementsEqual(word.utf8) {
                return (text.dropLast(word.utf8.count).trimmed, DayHalf(word))
            }
            if !halfIsLast, let rest = text.after(word) { return (rest.trimmed, DayHalf(word)) }
        }
        return (text, nil)
    }
}

/// A date as the C library and Qt write it in a user's language: `11/27/26`, `27.11.2026`, `2026년 11월 27일 (금)`,
/// `Friday, 27 November 2026`.
enum LocaleDate {
    /// Returns the dates that a text may mean; none for another text.
    static func candidates(_ text: ArraySlice<UInt8>) -> [CalendarDate] {
        var (numbers, month): ([(value: Int, digits: Int)], Int?) = ([], nil)
        var rest = text.prefix(LocaleTime.maximumLength)
        while let byte = rest.first {
            if Byte.isDigit(byte) {
                let digits = rest.prefix { Byte.isDigit($0) }
                guard digits.count <= 4, numbers.count < 3 else { return [] }
                numbers.append((digits.reduce(0) { $0 * 10 + Int($1 - Byte.zero) }, digits.count))
                rest = rest[digits.endIndex...]
            } else if Byte.isLetter(byte) || byte >= 0x80 {
                let word = rest.prefix { Byte.isLetter($0) || $0 >= 0x80 }
                // A weekday may look like a month, but stands before the day: `mardi 27 novembre`.
                month = Self.month(word) ?? month
                rest = rest[word.endIndex...]
            } else {
                rest = rest.dropFirst()
            }
        }
        return orders(numbers, month).filter { LocalDay($0, zone: .gmt) != nil }
    }

    /// Reads a month's name, also a whole one, of which only the abbreviation is known.
    private static func month(_ word: ArraySlice<UInt8>) -> Int? {
        guard word.count < 30 else { return nil }
        if let month = MonthName.number(word) { return month }
        let name = String(decoding: word, as: UTF8.self)
        return [5, 4, 3].lazy.filter { $0 < name.count }.compactMap { MonthName.number(String(name.prefix($0))) }.first
    }

    private static func orders(_ numbers: [(value: Int, digits: Int)], _ month: Int?) -> [CalendarDate] {
        func year(_ number: (value: Int, digits: Int)) -> Int {
            number.digits == 4 ? number.value : 2000 + number.value
        }
        if let month, numbers.count == 2 {
            let isYearFirst = numbers[0].digits == 4
            let (of, day) = isYearFirst ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
            return [CalendarDate(year: year(of), month: month, day: day.value)]
        }
        guard numbers.count == 3 else { return [] }
        let (a, b, c) = (numbers[0], numbers[1], numbers[2])
        let yearFirst = CalendarDate(year: year(a), month: b.value, day: c.value)
        if a.digits == 4 { return [yearFirst] }
        let yearLast = [
            CalendarDate(year: year(c), month: a.value, day: b.value),
            CalendarDate(year: year(c), month: b.value, day: a.value),
        ]
        return c.digits == 4 ? yearLast : yearLast + [yearFirst]
    }
}

extension ByteScanner {
    /// Takes a time of day with the marks or words of a language between its numbers; at least hours and minutes.
    ///
    /// - Parameter marks: The marks that may follow the hour.
    fileprivate mutating func localeClock(_ marks: [String]) -> ClockTime? {
        var copy = self
        guard let hour = copy.number(upTo: 2), hour <= 24, let mark = copy.mark(after: marks),
            let minute = copy.number(upTo: 2), minute < 60
        else { return nil }
        var time = ClockTime(hour: hour, minute: minute)
        let isWord = !":.h".contains(mark)
        var further = copy
        if further.mark(after: isWord ? ["분", "分"] : [mark]) != nil {
            copy = isWord ? further : copy
            if let second = further.number(upTo: 2), second <= 60 {
                time.second = second
                copy = further
                _ = copy.mark(after: ["초", "秒"])
            }
        } else if isWord {
            return nil
        }
        // `27.11` alone is a date.
        if mark == ".", time.second == nil || copy.rest.first.map(Byte.isDigit) ?? false { return nil }
        self = copy
        return time
    }

    /// Takes one of the marks, and one space after it if it is a word.
    private mutating func mark(after marks: [String]) -> String? {
        guard let mark = marks.first(where: { take($0) }) else { return nil }
        if !":.h".contains(mark) { _ = take(Byte.space) }
        return mark
    }
}
