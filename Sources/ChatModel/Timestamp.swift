import Bytes
import Glibc

/// An instant: whole microseconds since 1970-01-01 UTC, leap seconds not counted.
package struct Timestamp: Sendable, Hashable, Comparable {
    /// Any 64-bit number. Only times in the years 0 to 9999 can be written as text and read again.
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.microseconds < b.microseconds
    }

    /// The beginning of 1990: no supported network is older, and broken clocks start in 1970 or 1980.
    package static let earliestPlausible = Timestamp(microseconds: 631_152_000_000_000)

    /// Returns true if a network or a log can have this time at `now`: in 1990 or later, and at most a day after `now`,
    /// because a clock may be ahead.
    package func isPlausible(at now: Timestamp) -> Bool {
        self >= Self.earliestPlausible && self <= now.advanced(byMicroseconds: 86_400_000_000)
    }

    /// Returns this time if it can be true, or else the time of receipt.
    package func plausible(at receipt: Timestamp) -> Timestamp { isPlausible(at: receipt) ? self : receipt }

    /// Reads this machine's clock, which may step; ``ReceiptClock`` keeps times in order.
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

    /// Returns the time from `other` to this instant; negative when this is the earlier one. Saturates at the ends of
    /// the range.
    package func since(_ other: Timestamp) -> Duration {
        let (difference, overflow) = microseconds.subtractingReportingOverflow(other.microseconds)
        return .microseconds(overflow ? (microseconds < 0 ? .min : .max) : difference)
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with six digits: `2026-11-21T06:23:11.123456Z`.
    package var description: String {
        String(decoding: WrittenTime.utc(microseconds: microseconds), as: UTF8.self)
    }

    /// Appends ``description`` to bytes.
    package func append(to bytes: inout [UInt8]) {
        WrittenTime.appendUTC(microseconds: microseconds, to: &bytes)
    }

    /// Reads exactly what ``description`` writes; nil for anything else, other precisions and zones included.
    package init?(cursor text: String) {
        guard text.utf8.count == 27, let microseconds = WrittenTime(text.utf8)?.microseconds else { return nil }
        self.init(microseconds: microseconds)
        // Other forms, and leap seconds, are not printed as they were read.
        guard description == text else { return nil }
    }
}

extension Timestamp {
    /// Reads a time as SQLite's date and time functions write and take it: `2026-11-21`, `2026-11-21 06:23`, also with
    /// seconds, a fraction, `T` for the space, and a zone at the end. A time without a zone is in UTC. Nil for other texts,
    /// also for a time of day alone. Digits after the sixth of a fraction are dropped.
    package init?(sqlite text: String) {
        let form =
            /([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9]{2}:[0-9]{2})(:[0-5][0-9](?:\.[0-9]+)?)?)? *(Z|[+-][0-9]{2}:[0-9]{2})?/
        // A text of any length may come from a message; the longest time that people write is half of this.
        guard text.utf8.count <= 64, let found = text.wholeMatch(of: form) else { return nil }
        let whole = "\(found.1)T\(found.2 ?? "00:00")\(found.3 ?? ":00")\(found.4 ?? "Z")"
        guard let microseconds = WrittenTime(whole.utf8)?.microseconds else { return nil }
        self.init(microseconds: microseconds)
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
