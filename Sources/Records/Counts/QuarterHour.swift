/// The quarters of an hour since 1970 in UTC, by which messages are counted. The offsets of today's zones are whole quarters.
package enum QuarterHour {
    /// In microseconds.
    package static let length: Int64 = 900_000_000
    /// The number of quarters in a day of UTC.
    package static let ofDay: Int64 = 96

    /// Returns the quarter of an instant in microseconds since 1970.
    package static func number(of instant: Int64) -> Int64 {
        instant / length - (instant % length < 0 ? 1 : 0)
    }

    /// Returns the first microsecond of a quarter; the end of the range for a number beyond it.
    package static func start(of number: Int64) -> Int64 {
        let (start, isBeyond) = number.multipliedReportingOverflow(by: length)
        return isBeyond ? (number < 0 ? .min : .max) : start
    }
}

/// The key of a row of `message_count`: a room and a quarter of an hour.
package enum CountPlace {
    private static let bits: Int64 = 30
    private static let offset: Int64 = 1 << 28
    private static let rooms: Range<Int64> = 0..<(1 << 32)
    /// The quarters that have a key: from before the year 1 to after the year 9999.
    package static let quarters = -offset..<((1 << bits) - offset)

    /// Returns the key; nil for a room or a time that only a damaged file has. Such messages are not counted.
    package static func id(room: Int64, quarter: Int64) -> Int64? {
        rooms.contains(room) && quarters.contains(quarter) ? room << bits + quarter + offset : nil
    }

    /// Returns the keys that a room may have, for quarters in a range; nil for a room that is not counted.
    package static func ids(room: Int64, quarters range: Range<Int64> = quarters) -> Range<Int64>? {
        let range = range.clamped(to: quarters)
        guard rooms.contains(room), let first = id(room: room, quarter: range.lowerBound) else { return nil }
        return first..<(first + Int64(range.count))
    }

    package static func room(of id: Int64) -> Int64 { id >> bits }

    package static func quarter(of id: Int64) -> Int64 { id & ((1 << bits) - 1) - offset }
}
