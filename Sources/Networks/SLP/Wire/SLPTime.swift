import Bytes

/// A time in the service's text form, with its instant.
package struct SLPTime: Sendable, Hashable {
    /// The text that the server wrote.
    package let text: String
    /// The instant since 1970-01-01 UTC, rounded down.
    package let microseconds: Int64

    /// Reads ISO 8601 with date, time, any number of decimals, and `Z` or an offset; nil for anything else.
    package init?(_ text: String) {
        guard let time = WrittenTime(text.utf8), let microseconds = time.microseconds, time.clock.second != 60 else {
            return nil
        }
        (self.text, self.microseconds) = (text, microseconds)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads a `Date` header, in microseconds since 1970 and cut off to the second: `Sun, 06 Nov 1994 08:49:37 GMT`
    /// (RFC 9110 §5.6.7). Nil for anything else, and for the two older ways to write it.
    package static func microseconds(ofDate header: String) -> Int64? {
        var scanner = ByteScanner(Array(header.utf8.dropFirst(3))[...])
        guard scanner.take(", "), let day = scanner.number(of: 2), scanner.take(Byte.space),
            let month = months.firstIndex(where: { scanner.take($0) }), scanner.take(Byte.space),
            let year = scanner.number(of: 4), scanner.take(Byte.space), let clock = scanner.clock(),
            clock.second != nil, clock.microseconds == nil, scanner.take(" GMT"), scanner.rest.isEmpty,
            let days = CalendarDate(year: year, month: month + 1, day: day).daysSince1970
        else { return nil }
        return Int64(days * 86_400 + clock.seconds) * 1_000_000
    }

    /// Writes an instant for `cursor_date` and `after`: in UTC with milliseconds, rounded down, so that the request
    /// never begins later.
    package static func cursor(_ microseconds: Int64) -> String {
        // The years 1 to 9999, which four digits can write.
        let believable = min(max(microseconds, -62_135_596_800_000_000), 253_402_300_799_999_999)
        return String(decoding: WrittenTime.utc(milliseconds: believable.dividedDown(by: 1000).quotient), as: UTF8.self)
    }
}
