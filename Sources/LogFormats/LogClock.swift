import ChatModel

/// Turns the times of day of a log that is in order into instants that are in order.
///
/// A log of one day has no dates, and its clock may jump back. In this order:
/// - where the zone sets its clocks back, a time that occurs twice is the first one, unless a later one stood before it;
/// - by up to an hour: the clock was set back; the line gets the time of the one before it;
/// - by more, while no hour above 12 has been seen: the clock has 12 hours, and half a day is added from here on (11:59
///   is followed by 00:00, or 12:59 by 01:00). Which half the log began in, it does not tell: 12:30 is taken for noon;
/// - by more otherwise: the log goes on into the next day.
struct LogClock: Sendable {
    private let day: LocalDay
    /// Seconds added to what the clock shows.
    private var shift = 0
    private var has24Hours = false
    /// What was shown last, shifted, and when that was.
    private var last: (seconds: Int, instant: Timestamp)?

    static let halfDay = 12 * 3600
    static let longestCorrection = 3600

    init(day: LocalDay) {
        self.day = day
    }

    /// - Parameter seconds: Since midnight, as shown.
    mutating func read(_ seconds: Int) -> Timestamp {
        if seconds >= Self.halfDay + 3600 { has24Hours = true }
        guard let last else { return go(to: seconds) }
        if seconds + shift == last.seconds { return last.instant }
        if seconds + shift < last.seconds, !isRepeated(seconds + shift, after: last.instant) {
            guard last.seconds - seconds - shift > Self.longestCorrection else { return last.instant }
            let step = has24Hours ? 2 * Self.halfDay : Self.halfDay
            while seconds + shift < last.seconds { shift += step }
        }
        return go(to: seconds + shift)
    }

    /// What a line without a time was said at: with the one before it.
    var now: Timestamp? { last?.instant }

    private func isRepeated(_ seconds: Int, after instant: Timestamp) -> Bool {
        let instants = day.instants(of: seconds)
        return instants.count > 1 && instants.contains { $0 >= instant }
    }

    private mutating func go(to seconds: Int) -> Timestamp {
        let instants = day.instants(of: seconds)
        let earliest = last?.instant ?? Timestamp(microseconds: .min)
        let instant = instants.first { $0 >= earliest } ?? earliest
        last = (seconds, instant)
        return instant
    }
}
