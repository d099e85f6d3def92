/// A date in a text. The calendar may not have it: `2026-02-31`.
package struct CalendarDate: Sendable, Hashable {
    package var year: Int
    package var month: Int
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The days from 1970-01-01 to this date; nil for a date that is not in the calendar, or not in the years 0 to
    /// 9999.
    ///
    /// Computed by days_from_civil of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    package var daysSince1970: Int? {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1, day <= daysOfMonth else { return nil }
        return Self.days(year: year, month: month) + day - 1
    }

    /// Returns the days from 1970-01-01 to the first of a month.
    ///
    /// - Parameters:
    ///   - year: Any year of the 9,223,372,036,854,775,807 microseconds before or after 1970.
    ///   - month: 1 to 12.
    package static func days(year: Int, month: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// 28 to 31.
    package var daysOfMonth: Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Finds the date this number of days after 1970-01-01, by civil_from_days of the same source.
    ///
    /// - Parameter days: Any number of days whose microseconds fit in an `Int64`, so that nothing overflows.
    package init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    }
}
