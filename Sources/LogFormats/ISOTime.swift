import ChatModel
import Foundation

/// A time such as `2026-11-21T06:23:11.123+09:00` (RFC 3339), with or without its zone.
struct ISOTime: Sendable {
    private let date: CalendarDate
    /// Since midnight.
    private let seconds: Int
    private let microseconds: Int64
    /// Of its zone, in seconds east of Greenwich; nil where it tells none.
    let offset: Int64?

    /// Nil for anything else. Digits behind the sixth of a second are passed over.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard rest.count <= 64, let year = Self.digits(4, &rest), Self.take("-", &rest),
            let month = Self.digits(2, &rest), Self.take("-", &rest), let day = Self.digits(2, &rest),
            Self.take("T", &rest) || Self.take(" ", &rest), let hour = Self.digits(2, &rest), Self.take(":", &rest),
            let minute = Self.digits(2, &rest), Self.take(":", &rest), let second = Self.digits(2, &rest),
            hour < 24, minute < 60, second <= 60, let fraction = Self.fraction(&rest)
        else { return nil }
        date = CalendarDate(year: year, month: month, day: day)
        seconds = hour * 3600 + minute * 60 + second
        microseconds = fraction
        if rest.isEmpty {
            offset = nil
        } else {
            guard let offset = Self.offset(&rest), rest.isEmpty else { return nil }
            self.offset = offset
        }
        guard LocalDay(date, zone: .gmt) != nil else { return nil }
    }

    /// When its clock showed it: two where the zone's clocks are set back over it, and it tells no zone of its own.
    ///
    /// - Parameter zone: Of a time without one.
    func instants(in zone: TimeZone) -> [Timestamp] {
        let day = LocalDay(date, zone: offset == nil ? zone : .gmt)
        guard let shown = day?.instants(of: seconds) else { return [] }
        return ([shown.first] + (shown.second.map { [$0] } ?? [])).map {
            $0.advanced(byMicroseconds: microseconds - (offset ?? 0) * 1_000_000)
        }
    }

    private static func digits(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func take(_ mark: Character, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == mark.asciiValue else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Microseconds; 0 where there is none, nil for a point without digits.
    static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        guard take(".", &rest) else { return 0 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(digits.count)
        guard !digits.isEmpty else { return nil }
        let kept = digits.prefix(6).reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        return (digits.count..<max(6, digits.count)).reduce(kept) { value, _ in value * 10 }
    }

    /// `Z`, `+09:00`, `+0900` or `+09`.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        if take("Z", &rest) { return 0 }
        let isWest = take("-", &rest)
        guard isWest || take("+", &rest), let hours = digits(2, &rest) else { return nil }
        _ = take(":", &rest)
        let minutes = rest.isEmpty ? 0 : digits(2, &rest)
        guard let minutes, hours < 24, minutes < 60 else { return nil }
        return Int64(hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }
}

extension Timestamp {
    /// Saturates where no instant of ours is as far.
    init(seconds: Int64) {
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        self.init(microseconds: overflow ? (seconds < 0 ? .min : .max) : whole)
    }
}
