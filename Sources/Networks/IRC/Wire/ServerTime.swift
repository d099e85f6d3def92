import Bytes

/// The time of IRCv3's `time` tag and of CHATHISTORY: `2026-11-21T06:23:11.123Z`.
package enum ServerTime {
    /// The first and last millisecond of years 0 to 9999.
    static let earliest: Int64 = -62_167_219_200_000
    static let latest: Int64 = 253_402_300_799_999

    /// Reads a time in milliseconds since 1970 UTC, rounded down, which CHATHISTORY takes; nil for any other text.
    package static func milliseconds(_ text: [UInt8]) -> Int64? {
        microseconds(text)?.dividedDown(by: 1000).quotient
    }

    /// Reads a time in microseconds since 1970 UTC; nil for any other text.
    ///
    /// The zone must be `Z`. A fraction may have 1 to 9 digits or be missing. Second 60 is read as 59.
    package static func microseconds(_ text: [UInt8]) -> Int64? {
        guard (20...30).contains(text.count), text.last == UInt8(ascii: "Z"), text[10] == UInt8(ascii: "T"),
            let time = WrittenTime(text), let microseconds = time.microseconds
        else { return nil }
        return time.clock.second == 60 ? microseconds - 1_000_000 : microseconds
    }

    /// Writes a time in milliseconds since 1970 UTC. A time before year 0 or after 9999 becomes the nearest that can be
    /// written.
    package static func text(milliseconds: Int64) -> [UInt8] {
        WrittenTime.utc(milliseconds: min(max(milliseconds, earliest), latest))
    }
}
