import Bytes
package import ChatModel

/// A month of the Gregorian calendar.
package struct CalendarMonth: Sendable, Hashable, Comparable {
    package var year: Int
    /// 1 to 12.
    package var month: Int

    package init(year: Int, month: Int) {
        self.year = year
        self.month = month
    }

    package static func < (a: CalendarMonth, b: CalendarMonth) -> Bool {
        (a.year, a.month) < (b.year, b.month)
    }

    package var next: CalendarMonth {
        month == 12 ? CalendarMonth(year: year + 1, month: 1) : CalendarMonth(year: year, month: month + 1)
    }
}

extension CalendarMonth: CustomStringConvertible {
    /// For example `2026-11`, with at least four digits for the year.
    package var description: String {
        let (year, month) = (String(year), String(month))
        return String(repeating: "0", count: max(0, 4 - year.count)) + year + (month.count < 2 ? "-0" : "-") + month
    }

    /// Reads `2026-11`: four digits and a month from 1 to 12; nil for anything else.
    package init?(_ text: String) {
        guard let match = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})/), let year = Int(match.1),
            let month = Int(match.2), (1...12).contains(month)
        else { return nil }
        (self.year, self.month) = (year, month)
    }
}

/// The months of a zone as instants.
package struct MonthCalendar: Sendable {
    private let zone: Zone

    package init(zone: Zone) { self.zone = zone }

    /// Returns the month in which an instant falls.
    package func month(of time: Timestamp) -> CalendarMonth {
        let date = CalendarDate(daysSince1970: Int(CivilDay(containing: time, in: zone).number))
        return CalendarMonth(year: date.year, month: date.month)
    }

    /// Returns the first instant of a month.
    package func start(of month: CalendarMonth) -> Timestamp {
        let number = CalendarDate.days(year: month.year, month: month.month)
        return CivilDay(number: Int64(number), zone: zone).span.lowerBound
    }
}
