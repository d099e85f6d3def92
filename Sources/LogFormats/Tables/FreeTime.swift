import Bytes
import ChatModel

/// The order of day and month in dates such as `03/04/2026`.
enum DayOrder: Hashable, Sendable {
    case dayFirst, monthFirst
}

/// A date and time as people and programs write them: `2026-11-21T06:23:11.123+09:00`, `21/11/2026, 06:23`, `Nov 21,
/// 2026 6:23 AM`, `Sat, 21 Nov 2026 06:23:11 GMT`, `2026년 11월 21일 오전 6:23`.
struct FreeTime: Hashable {
    enum Day: Hashable {
        case known(CalendarDate)
        /// The two numbers before the year; either may be the day.
        case open(Int, Int, year: Int)
    }

    let day: Day
    let clock: ClockTime
    /// Seconds east of UTC; nil if the text has no zone.
    let offset: Int?

    /// Reads the whole text; nil for anything else, and without a date or a time of day.
    init?(_ text: ArraySlice<UInt8>) {
        if let iso = Self(iso: text) {
            self = iso
        } else if let words = FreeTimeWords(text), let day = words.day, let clock = words.clock {
            (self.day, self.clock, offset) = (day, clock, words.offset)
        } else {
            return nil
        }
    }

    /// Reads `2026-11-21T06:23:11.123+09:00`, the usual form, in a short time; also without seconds.
    private init?(iso text: ArraySlice<UInt8>) {
        var scanner = ByteScanner(text)
        guard let date = scanner.date(), scanner.take(UInt8(ascii: "T")) || scanner.take(Byte.space),
            let clock = scanner.clock()
        else { return nil }
        offset = scanner.offset(hoursAlone: true)
        guard scanner.rest.isEmpty else { return nil }
        (day, self.clock) = (.known(date), clock)
    }

    /// The order that the date proves, by a number above 12; nil if it proves none.
    var order: DayOrder? {
        guard case .open(let first, let second, _) = day else { return nil }
        return first > 12 && second <= 12 ? .dayFirst : second > 12 && first <= 12 ? .monthFirst : nil
    }

    /// True if the two orders give different dates.
    var isAmbiguous: Bool {
        guard case .open(let first, let second, _) = day else { return false }
        return order == nil && first != second
    }

    /// Returns the date in an order; nil if the order is needed and unknown.
    func date(_ order: DayOrder?) -> CalendarDate? {
        switch day {
        case .known(let date): return date
        case .open(let first, let second, let year):
            guard let order = order ?? (isAmbiguous ? nil : self.order ?? .dayFirst) else { return nil }
            let (day, month) = order == .dayFirst ? (first, second) : (second, first)
            return CalendarDate(year: year, month: month, day: day)
        }
    }
}
