import Bytes

/// A day of the calendar in one zone, from its first instant to the first of the next day.
///
/// Days follow each other without a hole and never overlap. A day of a change of clocks has other than 24 hours. Where
/// clocks go back over midnight, as in St. John's until 2011, the repeated time belongs to the new day.
package struct CivilDay: Sendable, Hashable {
    package let zone: Zone
    /// The days from 1970-01-01 to this date.
    package let number: Int64
    /// The instants of the day. Empty for a date that the zone skipped, such as 2011-12-30 in Samoa.
    package let span: Range<Timestamp>

    package init(number: Int64, zone: Zone) {
        (self.number, self.zone) = (number, zone)
        let start = Self.start(of: number, zone)
        span = start..<max(start, Self.start(of: number + 1, zone))
    }

    /// Finds the day of an instant.
    package init(containing time: Timestamp, in zone: Zone) {
        let second = Self.floor(time.microseconds, 1_000_000)
        var number = Self.floor(second + Self.offset(at: second, zone), Self.length)
        // The clocks may show this date again after they showed the next one.
        if Self.start(of: number + 1, zone) <= time { number += 1 }
        self.init(number: number, zone: zone)
    }

    /// The day as `2026-11-21`.
    package var name: String {
        Self.name(of: number)
    }

    /// The day that begins when this one ends.
    package var following: CivilDay {
        CivilDay(containing: span.upperBound, in: zone)
    }

    /// Returns the name of the day with a number.
    package static func name(of number: Int64) -> String {
        let date = CalendarDate(daysSince1970: Int(number))
        guard (0...9999).contains(date.year) else {
            let midnight = Timestamp(microseconds: 0).advanced(by: .seconds(number * length))
            return String(midnight.description.prefix(10))
        }
        return String(unsafeUninitializedCapacity: 10) { text in
            var digits = date.year * 10_000 + date.month * 100 + date.day
            for place in [9, 8, 6, 5, 3, 2, 1, 0] {
                text[place] = Byte.zero + UInt8(digits % 10)
                digits /= 10
            }
            (text[4], text[7]) = (Byte.dash, Byte.dash)
            return text.count
        }
    }

    /// The seconds of a day without a change of clocks.
    private static let length: Int64 = 86_400
    /// The seconds by which local time differs from UTC at most: 15:56 in Manila until 1844 (tz database), rounded up.
    private static let farthest: Int64 = 16 * 3600

    /// Returns the first instant at which the zone's clocks show this day or a later one.
    private static func start(of number: Int64, _ zone: Zone) -> Timestamp {
        first(showing: number * length, zone)
    }

    /// Returns the instant of a local time. A time that clocks skip counts from the change, as if they went on; of a time
    /// that they show twice, the first.
    ///
    /// - Parameter second: The seconds since midnight.
    package func time(_ second: Int64) -> Timestamp {
        let local = number * Self.length + second
        let first = Self.first(showing: local, zone)
        let utc = Self.floor(first.microseconds, 1_000_000)
        guard utc + Self.offset(at: utc, zone) > local else { return first }
        return Timestamp(microseconds: 0).advanced(by: .seconds(local - Self.offset(at: utc - 1, zone)))
    }

    /// Returns the first instant at which the zone's clocks show this local second or a later one.
    private static func first(showing second: Int64, _ zone: Zone) -> Timestamp {
        var (from, end) = (second - farthest, second + farthest)
        var offset = offset(at: from, zone)
        // The pieces of time between changes of the offset, each in order.
        while from < end {
            let change = change(from: from, to: end, zone)
            if max(from, second - offset) < change {
                end = max(from, second - offset)
                break
            }
            (from, offset) = (change, Self.offset(at: change, zone))
        }
        return Timestamp(microseconds: 0).advanced(by: .seconds(end))
    }

    /// Returns the first second after `from` with another offset; `end` if there is none.
    private static func change(from: Int64, to end: Int64, _ zone: Zone) -> Int64 {
        let offset = offset(at: from, zone)
        // No zone changes its offset twice in such a time and ends with the first one.
        guard Self.offset(at: end, zone) != offset else { return end }
        var (same, other) = (from, end)
        while other - same > 1 {
            let middle = same + (other - same) / 2
            if Self.offset(at: middle, zone) == offset { same = middle } else { other = middle }
        }
        return other
    }

    private static func offset(at second: Int64, _ zone: Zone) -> Int64 { Int64(zone.secondsFromGMT(at: second)) }

    private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
        number / divisor - (number % divisor < 0 ? 1 : 0)
    }
}
