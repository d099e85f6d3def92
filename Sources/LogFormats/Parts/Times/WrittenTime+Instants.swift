import Bytes
import ChatModel

extension WrittenTime {
    /// Reads a time of an export; nil for anything else.
    init?(_ text: String) {
        self.init(text.utf8, hoursAlone: true)
    }

    /// Returns the instants at which a clock showed this time: two when the zone's clocks are set back over it.
    ///
    /// - Parameter zone: The zone for a time that has none.
    func instants(in zone: Zone) -> [Timestamp] {
        let day = LocalDay(date, zone: offset == nil ? zone : .gmt)
        guard let shown = day?.instants(of: clock.seconds) else { return [] }
        return ([shown.first] + (shown.second.map { [$0] } ?? [])).map {
            $0.advanced(byMicroseconds: (clock.microseconds ?? 0) - Int64(offset ?? 0) * 1_000_000)
        }
    }
}

extension Timestamp {
    /// Creates the instant of a number of seconds since 1970. Saturates at the ends of the range.
    init(seconds: Int64) {
        self.init(seconds, by: 1_000_000)
    }

    /// Creates the instant of a number of milliseconds since 1970. Saturates at the ends of the range.
    init(milliseconds: Int64) {
        self.init(milliseconds, by: 1000)
    }

    private init(_ units: Int64, by factor: Int64) {
        let (whole, overflow) = units.multipliedReportingOverflow(by: factor)
        self.init(microseconds: overflow ? (units < 0 ? .min : .max) : whole)
    }
}
