import Bytes

/// The time of IRCv3's `time` tag and of CHATHISTORY: `2026-11-21T06:23:11.123Z`.
package enum ServerTime {
    /// The first and last millisecond of years 0 to 9999.
    static let earliest: Int64 = -62_167_219_200_000
    static let latest: Int64 = 253_402_300_799_999

    private static let dayMilliseconds: Int64 = 86_400_000

    /// Milliseconds since 1970 UTC, finer parts cut: what CHATHISTORY can be asked by.
    package static func milliseconds(_ text: [UInt8]) -> Int64? {
        // Rounded down before 1970, too.
        microseconds(text).map { $0 >= 0 ? $0 / 1000 : ($0 - 999) / 1000 }
    }

    /// Microseconds since 1970 UTC, finer parts cut; nil where the text is no such time. A fraction may have 1 to 9
    /// digits or be missing; second 60 is taken for the one before it.
    package static func microseconds(_ text: [UInt8]) -> Int64? {
        guard text.count >= 20, text.count <= 30, text.last == UInt8(ascii: "Z") else { return nil }
        let marks: [(Int, Character)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
        guard marks.allSatisfy({ text[$0] == $1.asciiValue }) else { return nil }
        guard let year = text[0..<4].number, let month = text[5..<7].number, let day = text[8..<10].number,
            let hour = text[11..<13].number, let minute = text[14..<16].number, let second = text[17..<19].number,
            let fraction = fraction(text[19..<(text.count - 1)]),
            (1...12).contains(month), day >= 1, day <= days(of: month, year), hour < 24, minute < 60, second <= 60
        else { return nil }
        let seconds = Int64(hour * 3600 + minute * 60 + min(second, 59))
        return (daysSince1970(year, month, day) * dayMilliseconds + seconds * 1000) * 1000 + fraction
    }

    /// Of a time before year 0 or after 9999, the nearest that can be written.
    package static func text(milliseconds: Int64) -> [UInt8] {
        let bounded = min(max(milliseconds, earliest), latest)
        let day = (bounded >= 0 ? bounded : bounded - dayMilliseconds + 1) / dayMilliseconds
        let rest = Int(bounded - day * dayMilliseconds)
        let (year, month, date) = civil(day)
        let clock = "\(padded(rest / 3_600_000)):\(padded(rest / 60_000 % 60)):\(padded(rest / 1000 % 60))"
        return Array("\(padded(year, 4))-\(padded(month))-\(padded(date))T\(clock).\(padded(rest % 1000, 3))Z")
    }

    private static func fraction(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard let first = bytes.first else { return 0 }
        let digits = bytes.dropFirst()
        guard first == Byte.dot, (1...9).contains(digits.count), digits.allSatisfy(Byte.isDigit) else { return nil }
        return (Array(digits.prefix(6)) + Array(repeating: 0x30, count: max(0, 6 - digits.count))).number.map(
            Int64.init)
    }

    private static func days(of month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil; the year is 0 to 9999.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return Int64(era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468)
    }

    /// The same source, civil_from_days.
    private static func civil(_ day: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = Int(day) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
