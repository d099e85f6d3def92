/// Takes expected parts from the beginning of some bytes. Takes nothing when the bytes begin otherwise.
package struct ByteScanner {
    /// The bytes that have not been taken.
    package private(set) var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Takes a text, and returns true when the bytes begin with it.
    package mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// Takes a byte, and returns true if it is the first one.
    package mutating func take(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Takes bytes up to the first one for which the condition is false, and returns them; at most `limit`.
    package mutating func take(atMost limit: Int, while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let bytes = rest.prefix(limit).prefix(while: condition)
        rest = rest[bytes.endIndex...]
        return bytes
    }

    /// Takes exactly this number of digits, and returns their value; nil if there are fewer digits.
    package mutating func number(of digits: Int) -> Int? {
        guard rest.count >= digits else { return nil }
        var value = 0
        for index in rest.startIndex..<(rest.startIndex + digits) {
            guard Byte.isDigit(rest[index]) else { return nil }
            value = value * 10 + Int(rest[index] - Byte.zero)
        }
        rest.removeFirst(digits)
        return value
    }

    /// Takes `2026-11-21`, also if the calendar does not have the date.
    package mutating func date() -> CalendarDate? {
        var copy = self
        guard let year = copy.number(of: 4), copy.take(Byte.dash), let month = copy.number(of: 2),
            copy.take(Byte.dash), let day = copy.number(of: 2)
        else { return nil }
        self = copy
        return CalendarDate(year: year, month: month, day: day)
    }

    /// Takes `03:41`, `03:41:59` or `03:41:59.123`. The second may be 60.
    package mutating func clock() -> ClockTime? {
        var copy = self
        guard let hour = copy.number(of: 2), copy.take(Byte.colon), let minute = copy.number(of: 2), hour < 24,
            minute < 60
        else { return nil }
        var time = ClockTime(hour: hour, minute: minute)
        if copy.take(Byte.colon) {
            guard let second = copy.number(of: 2), second <= 60 else { return nil }
            time.second = second
            if copy.rest.first == Byte.dot {
                guard let microseconds = copy.fraction() else { return nil }
                time.microseconds = microseconds
            }
        }
        self = copy
        return time
    }

    /// Takes a fraction of a second, `.123`, and returns its microseconds; digits after the sixth are dropped.
    ///
    /// - Returns: 0 if there is no point; nil for a point without digits.
    package mutating func fraction() -> Int64? {
        var copy = self
        guard copy.take(Byte.dot) else { return 0 }
        let digits = copy.rest.prefix(while: Byte.isDigit)
        guard !digits.isEmpty else { return nil }
        rest = rest[digits.endIndex...]
        let kept = digits.prefix(6).reduce(0) { $0 * 10 + Int64($1 - Byte.zero) }
        return (digits.count..<max(6, digits.count)).reduce(kept) { value, _ in value * 10 }
    }

    /// Takes a zone, `Z`, `+09:00` or `+0900`, and returns its seconds east of UTC.
    ///
    /// - Parameter hoursAlone: True to accept `+09` as well, at the end of the bytes.
    package mutating func offset(hoursAlone: Bool = false) -> Int? {
        var copy = self
        if take(UInt8(ascii: "Z")) { return 0 }
        let isWest = copy.take(Byte.dash)
        guard isWest || copy.take(Byte.plus), let hours = copy.number(of: 2), hours < 24 else { return nil }
        let isHoursAlone = hoursAlone && copy.rest.isEmpty
        _ = copy.take(Byte.colon)
        guard let minutes = isHoursAlone ? 0 : copy.number(of: 2), minutes < 60 else { return nil }
        self = copy
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }
}
