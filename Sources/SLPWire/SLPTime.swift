import Foundation

/// A time as the service writes it, and which instant that is.
package struct SLPTime: Sendable, Hashable {
    /// As the server wrote it.
    package let text: String
    /// Since 1970-01-01 UTC; what is finer is cut off.
    package let microseconds: Int64

    /// Reads ISO 8601 with date, time, any number of decimals, and `Z` or an offset; nil for anything else.
    package init?(_ text: String) {
        var scanner = Scanner(rest: text.utf8[...])
        guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
            scanner.skip("-"), let day = scanner.number(digits: 2), scanner.skip("T") || scanner.skip(" "),
            let hour = scanner.number(digits: 2), scanner.skip(":"), let minute = scanner.number(digits: 2),
            scanner.skip(":"), let second = scanner.number(digits: 2),
            let fraction = scanner.fraction(), let offset = scanner.offset(), scanner.rest.isEmpty,
            hour < 24, minute < 60, second < 60, let midnight = Self.midnight(year, month, day)
        else { return nil }
        self.text = text
        microseconds = (midnight + Int64(hour * 3600 + minute * 60 + second - offset)) * 1_000_000 + Int64(fraction)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads a `Date` header, in microseconds since 1970 and cut off to the second: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110
    /// §5.6.7). Nil for anything else, and for the two older ways to write it.
    package static func microseconds(ofDate header: String) -> Int64? {
        var scanner = Scanner(rest: header.utf8.dropFirst(3))
        guard scanner.skip(","), scanner.skip(" "), let day = scanner.number(digits: 2), scanner.skip(" "),
            let month = months.firstIndex(of: scanner.text(3)), scanner.skip(" "),
            let year = scanner.number(digits: 4), scanner.skip(" "), let hour = scanner.number(digits: 2),
            scanner.skip(":"), let minute = scanner.number(digits: 2), scanner.skip(":"),
            let second = scanner.number(digits: 2), scanner.text(4) == " GMT", scanner.rest.isEmpty,
            hour < 24, minute < 60, second <= 60, let midnight = midnight(year, month + 1, day)
        else { return nil }
        return (midnight + Int64(hour * 3600 + minute * 60 + second)) * 1_000_000
    }

    /// As `cursor_date` and `after` want it, in UTC with milliseconds; what is finer is cut off, so that no instant is
    /// asked for that is later.
    package static func cursor(_ microseconds: Int64) -> String {
        // The years 1 to 9999, which four digits can write.
        let believable = min(max(microseconds, -62_135_596_800_000_000), 253_402_300_799_999_999)
        let (seconds, rest) = believable.quotientAndRemainder(dividingBy: 1_000_000)
        let isBefore = rest < 0
        var time = time_t(isBefore ? seconds - 1 : seconds)
        let milliseconds = (isBefore ? rest + 1_000_000 : rest) / 1000
        var parts = tm()
        gmtime_r(&time, &parts)
        let numbers = [parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec].map {
            padded(Int($0), 2)
        }
        let date = "\(padded(Int(parts.tm_year) + 1900, 4))-\(numbers[0])-\(numbers[1])"
        return "\(date)T\(numbers[2]):\(numbers[3]):\(numbers[4]).\(padded(Int(milliseconds), 3))Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// In seconds since 1970; nil for a day that is none.
    private static func midnight(_ year: Int, _ month: Int, _ day: Int) -> Int64? {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year) - 1900, Int32(month) - 1, Int32(day))
        let seconds = timegm(&parts)
        // timegm turns 31 February into March, and says so.
        guard parts.tm_mon == Int32(month) - 1, parts.tm_mday == Int32(day) else { return nil }
        return Int64(seconds)
    }
}

private struct Scanner {
    var rest: Substring.UTF8View

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func text(_ count: Int) -> String {
        defer { rest = rest.dropFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }

    mutating func number(digits count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
        rest.removeFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// In microseconds; 0 where there is none, nil where there is a point without decimals.
    mutating func fraction() -> Int? {
        guard skip(".") else { return 0 }
        let digits = rest.prefix(while: Self.isDigit)
        rest = rest[digits.endIndex...]
        guard !digits.isEmpty else { return nil }
        let six = digits.prefix(6).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return (min(digits.count, 6)..<6).reduce(six) { value, _ in value * 10 }
    }

    /// In seconds east of UTC.
    mutating func offset() -> Int? {
        if skip("Z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = number(digits: 2) else { return nil }
        _ = skip(":")
        guard let minutes = number(digits: 2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
