/// Months of the calendar in UTC.
enum CivilMonth {
    /// Returns the number of whole months from January of year 0 to an instant.
    ///
    /// - Parameter time: Microseconds since 1970-01-01.
    static func of(microseconds time: Int64) -> Int64 {
        // Days, and then years from 1 March of 400-year eras: Howard Hinnant, "chrono-Compatible Low-Level Date
        // Algorithms", civil_from_days.
        let microsecondsOfDay: Int64 = 86_400_000_000
        let days = time / microsecondsOfDay - (time % microsecondsOfDay < 0 ? 1 : 0) + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let day = days - era * 146_097
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153  // 0 is March
        return (year + era * 400) * 12 + month + 2
    }

    /// Returns the name of a month such as `2026-11`.
    ///
    /// - Parameter month: Whole months since January of year 0.
    static func name(_ month: Int64) -> String {
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return "\(padded(month / 12, 4))-\(padded(month % 12 + 1, 2))"
    }
}
