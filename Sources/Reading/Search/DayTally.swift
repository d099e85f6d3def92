import ChatModel
import Records

/// Numbers of messages by the day of a zone. Fast for instants in order.
struct DayTally {
    private let zone: Zone
    /// The day of the last instant, in microseconds since 1970.
    private var span: Range<Int64> = 0..<0
    private var number: Int64 = 0
    private var days = RunTally()

    init(zone: Zone) {
        self.zone = zone
    }

    /// The counts by ``CivilDay/number``.
    var counts: [Int64: Int64] { days.counts }

    /// Counts messages.
    ///
    /// - Parameter instant: Microseconds since 1970 UTC.
    mutating func add(_ instant: Int64, count: Int64 = 1) {
        if !span.contains(instant) {
            let day = CivilDay(containing: Timestamp(microseconds: instant), in: zone)
            span = day.span.lowerBound.microseconds..<day.span.upperBound.microseconds
            number = day.number
        }
        days.add(number, count)
    }

    mutating func add(_ quarter: LocalQuarter) {
        if quarter.isCalm {
            days.add(LocalHours.floor(quarter.hour, 24), quarter.messages)
        } else {
            add(quarter.instant, count: quarter.messages)
        }
    }
}

extension DayTally: MessageTally {
    var needsPeople: Bool { false }

    mutating func add(_ id: Int64, room: Int64, sender: Int64?) { add(id) }

    mutating func add(_ quarter: LocalQuarter, of row: CountRow, room: Int64) { add(quarter) }
}

/// Counts by numbers of which most follow their like: the same number in a row is looked up once.
struct RunTally {
    private var earlier: [Int64: Int64] = [:]
    /// The last number and its count since it came.
    private var last: (number: Int64, count: Int64) = (0, 0)

    mutating func add(_ number: Int64, _ count: Int64) {
        if number != last.number {
            if last.count != 0 { earlier[last.number, default: 0] += last.count }
            last = (number, 0)
        }
        last.count += count
    }

    mutating func join(_ other: RunTally) {
        for (number, count) in other.counts { add(number, count) }
    }

    var counts: [Int64: Int64] {
        var counts = earlier
        if last.count != 0 { counts[last.number, default: 0] += last.count }
        return counts
    }
}
