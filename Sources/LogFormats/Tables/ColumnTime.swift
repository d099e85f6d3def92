import Bytes
import ChatModel

/// A time in a table, before its zone is known.
enum ColumnTime: Hashable {
    case instant(Timestamp, TimeResolution)
    /// A date that is in the calendar, and a time of day. The offset is in seconds east of UTC; nil if the text has
    /// no zone.
    case shown(CalendarDate, ClockTime, offset: Int?)

    /// Reads digits alone: seconds (9 to 11 digits), milliseconds (12, 13), microseconds (15, 16) or nanoseconds (18,
    /// 19) since 1970, seconds with a fraction too; or a date and time without marks, such as `20261121062311`.
    ///
    /// The numbers of digits are those of the years 1973 to 5138, so that each has one meaning.
    init?(digits text: ArraySlice<UInt8>) {
        let digits = text.prefix(while: Byte.isDigit)
        guard (9...19).contains(digits.count), let number = Int64(String(decoding: digits, as: UTF8.self)) else {
            return nil
        }
        guard digits.count == text.count else {
            var scanner = ByteScanner(text[digits.endIndex...])
            guard digits.count <= 11, let fraction = scanner.fraction(), scanner.rest.isEmpty else { return nil }
            self = .instant(Timestamp(seconds: number).advanced(byMicroseconds: fraction), .microsecond)
            return
        }
        // 12 digits of milliseconds with a 1 or 2 first would be before 1980.
        let isDate = [12, 14].contains(digits.count) && digits.first.map { $0 <= UInt8(ascii: "2") } ?? false
        switch digits.count {
        case _ where isDate:
            guard let time = Self.compact(digits) else { return nil }
            self = time
        case 9...11: self = .instant(Timestamp(seconds: number), .second)
        case 12, 13: self = .instant(Timestamp(microseconds: number * 1000), .microsecond)
        case 15, 16: self = .instant(Timestamp(microseconds: number), .microsecond)
        case 18, 19: self = .instant(Timestamp(microseconds: number / 1000), .microsecond)
        default: return nil
        }
    }

    /// Reads `202611210623` and `20261121062311`.
    private static func compact(_ digits: ArraySlice<UInt8>) -> ColumnTime? {
        var scanner = ByteScanner(digits)
        guard let year = scanner.number(of: 4), let month = scanner.number(of: 2), let day = scanner.number(of: 2),
            let hour = scanner.number(of: 2), let minute = scanner.number(of: 2)
        else { return nil }
        return ColumnTime(
            CalendarDate(year: year, month: month, day: day),
            ClockTime(hour: hour, minute: minute, second: scanner.number(of: 2)), offset: nil)
    }

    /// Nil for a date that is not in the calendar, and for a time that no clock shows. A second may be 60.
    init?(_ date: CalendarDate, _ clock: ClockTime, offset: Int?) {
        guard date.year >= 1, date.daysSince1970 != nil, (0..<24).contains(clock.hour), (0..<60).contains(clock.minute),
            (0...60).contains(clock.second ?? 0)
        else { return nil }
        self = .shown(date, clock, offset: offset)
    }
}

extension ClockTime {
    var resolution: TimeResolution { second == nil ? .minute : microseconds == nil ? .second : .microsecond }
}
