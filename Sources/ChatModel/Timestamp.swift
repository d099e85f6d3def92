import Foundation

/// An instant: whole microseconds since 1970-01-01 UTC, leap seconds not counted.
package struct Timestamp: Sendable, Hashable, Comparable {
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.microseconds < b.microseconds
    }

    /// 1990: no network that we know is older, and broken clocks start in 1970 or 1980.
    package static let earliestBelieved = Timestamp(microseconds: 631_152_000_000_000)

    /// Whether a network or a log can have had this time at `now`, which a clock may be ahead of by a day.
    package func isBelieved(at now: Timestamp) -> Bool {
        self >= Self.earliestBelieved && self <= now.advanced(by: .seconds(86_400))
    }

    /// This machine's clock, which may step; whoever needs order keeps it with ``ReceiptClock``.
    package static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Saturates at the ends of the range instead of trapping.
    package func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else { return Timestamp(microseconds: seconds < 0 ? .min : .max) }
        let (delta, overflow2) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        guard !overflow2 else { return Timestamp(microseconds: seconds < 0 ? .min : .max) }
        return advanced(byMicroseconds: delta)
    }

    /// Saturates at the ends of the range instead of trapping.
    package func advanced(byMicroseconds delta: Int64) -> Timestamp {
        let (sum, overflow) = microseconds.addingReportingOverflow(delta)
        return Timestamp(microseconds: overflow ? (delta < 0 ? .min : .max) : sum)
    }

    /// From `other` to this instant; negative when this is the earlier one.
    package func since(_ other: Timestamp) -> Duration {
        let (difference, overflow) = microseconds.subtractingReportingOverflow(other.microseconds)
        return .microseconds(overflow ? (microseconds < 0 ? .min : .max) : difference)
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with six digits: `2026-11-21T06:23:11.123456Z`.
    package var description: String {
        let (seconds, fraction) = microseconds.quotientAndRemainderFloored(by: 1_000_000)
        var clock = time_t(seconds)
        var parts = tm()
        guard gmtime_r(&clock, &parts) != nil else { return "\(microseconds)us" }
        var text: [UInt8] = []
        text.reserveCapacity(27)
        text.append(padded: Int(parts.tm_year) + 1900, to: 4)
        text.append(UInt8(ascii: "-"))
        text.append(padded: Int(parts.tm_mon) + 1, to: 2)
        text.append(UInt8(ascii: "-"))
        text.append(padded: Int(parts.tm_mday), to: 2)
        text.append(UInt8(ascii: "T"))
        text.append(padded: Int(parts.tm_hour), to: 2)
        text.append(UInt8(ascii: ":"))
        text.append(padded: Int(parts.tm_min), to: 2)
        text.append(UInt8(ascii: ":"))
        text.append(padded: Int(parts.tm_sec), to: 2)
        text.append(UInt8(ascii: "."))
        text.append(padded: Int(fraction), to: 6)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads exactly what ``description`` writes; nil for anything else, other precisions and zones included.
    package init?(cursor text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 27, bytes[26] == UInt8(ascii: "Z") else { return nil }
        for (index, separator) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, ".")] {
            guard bytes[index] == separator.utf8.first else { return nil }
        }
        func number(_ range: Range<Int>) -> Int32? {
            var value: Int32 = 0
            for byte in bytes[range] {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
                value = value * 10 + Int32(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            let fraction = number(20..<26)
        else { return nil }
        var parts = tm()
        parts.tm_year = year - 1900
        parts.tm_mon = month - 1
        parts.tm_mday = day
        parts.tm_hour = hour
        parts.tm_min = minute
        parts.tm_sec = second
        self.init(microseconds: Int64(timegm(&parts)) * 1_000_000 + Int64(fraction))
        // timegm turns 31 February into March: only what prints as it was read is a time.
        guard description == text else { return nil }
    }
}

extension Timestamp: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = Timestamp(cursor: text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a time with six digits: \(text)"))
        }
        self = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Int64 {
    /// The remainder is never negative.
    fileprivate func quotientAndRemainderFloored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension [UInt8] {
    /// At least so many digits.
    fileprivate mutating func append(padded number: Int, to width: Int) {
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        guard number >= 0, number / divisor < 10 else {
            let digits = String(number).utf8
            self += repeatElement(UInt8(ascii: "0"), count: Swift.max(0, width - digits.count))
            self += digits
            return
        }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
