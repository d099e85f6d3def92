import ChatModel
import Foundation

/// A day of a zone, and the instants of its clock's times.
struct LocalDay: Sendable {
    /// Midnight of the day if its zone were UTC, in seconds since 1970.
    private let midnight: Int64
    private let zone: TimeZone

    /// Nil for a date that is in no calendar.
    init?(year: Int, month: Int, day: Int, zone: TimeZone) {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
        midnight = Int64(timegm(&parts))
        self.zone = zone
        // timegm turns 31 February into March.
        guard parts.tm_mon == Int32(month - 1), parts.tm_mday == Int32(day) else { return nil }
    }

    /// The first date that a file's name has: `2026-11-21`, with `_` or `.` for `-`, or `20261121`.
    init?(named name: String, zone: TimeZone) {
        for match in name.matches(of: /(?:^|[^0-9])([12][0-9]{3})([-_.]?)([0-9]{2})([-_.]?)([0-9]{2})(?![0-9])/) {
            let (_, year, first, month, second, day) = match.output
            guard first == second, let year = Int(year), let month = Int(month), let day = Int(day),
                let found = LocalDay(year: year, month: month, day: day, zone: zone)
            else { continue }
            self = found
            return
        }
        return nil
    }

    /// When the clock shows the time, in order: two when it is set back over it. A time that is skipped as the clock is
    /// set forward is the one so much later.
    ///
    /// - Parameter seconds: Since the day's midnight; 86,400 and more are of the days after.
    func instants(of seconds: Int) -> [Timestamp] {
        let local = midnight + Int64(seconds)
        // No zone changes twice within two days.
        let before = offset(at: local - 86_400)
        let after = offset(at: local + 86_400)
        let possible = before == after ? [before] : [max(before, after), min(before, after)]
        let valid = possible.filter { offset(at: local - $0) == $0 }
        return (valid.isEmpty ? [before] : valid).map { Timestamp(microseconds: (local - $0) * 1_000_000) }
    }

    private func offset(at seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }
}
