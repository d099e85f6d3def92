/// A time of day in a text.
package struct ClockTime: Sendable, Hashable {
    /// 0 to 23.
    package var hour: Int
    /// 0 to 59.
    package var minute: Int
    /// 60 in a leap second; nil if the text has none.
    package var second: Int?
    /// Nil if the text has no fraction.
    package var microseconds: Int64?

    package init(hour: Int, minute: Int, second: Int? = nil, microseconds: Int64? = nil) {
        (self.hour, self.minute, self.second, self.microseconds) = (hour, minute, second, microseconds)
    }

    /// Whole seconds since midnight; 86,400 in a leap second.
    package var seconds: Int { hour * 3600 + minute * 60 + (second ?? 0) }
}

/// A date and time in a text: `2026-11-21T06:23:11.123+09:00` (RFC 3339), with or without its zone.
package struct WrittenTime: Sendable, Hashable {
    /// The date, which is in the calendar.
    package let date: CalendarDate
    /// The time of day, which has a second.
    package let clock: ClockTime
    /// Seconds east of UTC; nil if the text has no zone.
    package let offset: Int?
    private let days: Int

    /// Reads the whole text; nil for anything else. A space may stand for the `T`.
    ///
    /// - Parameter hoursAlone: True to accept the zone `+09` as well.
    package init?(_ text: some Sequence<UInt8>, hoursAlone: Bool = false) {
        var scanner = ByteScanner(Array(text)[...])
        guard let date = scanner.date(), let days = date.daysSince1970,
            scanner.take(UInt8(ascii: "T")) || scanner.take(Byte.space), let clock = scanner.clock(),
            clock.second != nil
        else { return nil }
        offset = scanner.offset(hoursAlone: hoursAlone)
        guard scanner.rest.isEmpty else { return nil }
        (self.date, self.clock, self.days) = (date, clock, days)
    }

    /// Microseconds since 1970-01-01 UTC; nil for a time without a zone. A leap second is the first of the next minute.
    package var microseconds: Int64? {
        offset.map { Int64(days * 86_400 + clock.seconds - $0) * 1_000_000 + (clock.microseconds ?? 0) }
    }
}

extension WrittenTime {
    /// Writes an instant in UTC with three decimals: `2026-11-21T06:23:11.123Z`.
    package static func utc(milliseconds: Int64) -> [UInt8] {
        utc(milliseconds, perSecond: 1000, decimals: 3)
    }

    /// Writes an instant in UTC with six decimals: `2026-11-21T06:23:11.123456Z`.
    package static func utc(microseconds: Int64) -> [UInt8] {
        utc(microseconds, perSecond: 1_000_000, decimals: 6)
    }

    /// Appends what ``utc(microseconds:)`` returns.
    package static func appendUTC(microseconds: Int64, to text: inout [UInt8]) {
        append(microseconds, perSecond: 1_000_000, decimals: 6, to: &text)
    }

    private static func utc(_ units: Int64, perSecond: Int64, decimals: Int) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(27)
        append(units, perSecond: perSecond, decimals: decimals, to: &text)
        return text
    }

    private static func append(_ units: Int64, perSecond: Int64, decimals: Int, to text: inout [UInt8]) {
        let (seconds, fraction) = units.dividedDown(by: perSecond)
        let (days, clock) = seconds.dividedDown(by: 86_400)
        let date = CalendarDate(daysSince1970: Int(days))
        text.append(Int64(date.year), padded: 4, before: Byte.dash)
        text.append(Int64(date.month), padded: 2, before: Byte.dash)
        text.append(Int64(date.day), padded: 2, before: UInt8(ascii: "T"))
        text.append(clock / 3600, padded: 2, before: Byte.colon)
        text.append(clock / 60 % 60, padded: 2, before: Byte.colon)
        text.append(clock % 60, padded: 2, before: Byte.dot)
        text.append(fraction, padded: decimals, before: UInt8(ascii: "Z"))
    }
}

extension Int64 {
    /// Divides and rounds down, also below 0, so that the remainder is never negative.
    package func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension [UInt8] {
    /// Appends a number with at least `width` digits, and the byte `end` after it.
    fileprivate mutating func append(_ number: Int64, padded width: Int, before end: UInt8) {
        append(decimal: number, width: width)
        append(end)
    }
}
