import ChatModel

/// Numbers of messages by the day of a zone. Fast for instants in order.
struct DayTally {
    private let zone: Zone
    /// The day of the last instant, in microseconds since 1970.
    private var span: Range<Int64> = 0..<0
    private var number: Int64 = 0
    /// The counts by ``CivilDay/number``.
    private(set) var counts: [Int64: Int64] = [:]

    init(zone: Zone) {
        self.zone = zone
    }

    /// Counts a message.
    ///
    /// - Parameter instant: Microseconds since 1970 UTC.
    mutating func add(_ instant: Int64) {
        if !span.contains(instant) {
            let day = CivilDay(containing: Timestamp(microseconds: instant), in: zone)
            span = day.span.lowerBound.microseconds..<day.span.upperBound.microseconds
            number = day.number
        }
        counts[number, default: 0] += 1
    }
}
