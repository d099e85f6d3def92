package import ChatModel

/// Gives out times of receipt, which never go back within an account whatever this machine's clock does.
package struct ReceiptClock: Sendable, Hashable {
    /// A clock that is behind by more is not trusted: a leap second or a summer time set wrong is less.
    package static let tolerance: Duration = .seconds(3600)

    /// The latest time given out or claimed; nil while there is none.
    package private(set) var last: Timestamp?
    /// The latest that this machine's clock has said in this connection.
    private var reading: Timestamp?

    package init(last: Timestamp?) {
        self.last = last
    }

    /// The later of the clock and the microsecond after the last one given out.
    package mutating func stamp(_ clock: Timestamp) -> Timestamp {
        reading = reading.map { max($0, clock) } ?? clock
        let time = last.map { max(clock, $0.advanced(byMicroseconds: 1)) } ?? clock
        last = time
        return time
    }

    /// Nothing is given out from here on that is not later than `time`.
    package mutating func advance(to time: Timestamp) {
        last = last.map { max($0, time) } ?? time
    }

    /// A new connection: its clock may be another than that of the one before, and what was given out still holds.
    package mutating func beginConnection() {
        reading = nil
    }

    /// The clock is so far behind what it said before in this connection that it was set back.
    package func isBehind(_ clock: Timestamp) -> Bool {
        guard let reading else { return false }
        return reading.since(clock) > Self.tolerance
    }

    /// What an operator should know of a clock that ``isBehind(_:)``.
    func sentence(clock: Timestamp) -> String {
        "this machine's clock was set back from \(reading ?? clock) to \(clock)"
    }

    /// How far what was given out is ahead of the clock; nil when it is by no more than the tolerance.
    ///
    /// That is so after a clock was ahead and is right again. Until it has caught up, times of receipt only count up.
    func lead(over clock: Timestamp) -> Duration? {
        guard let last, last.since(clock) > Self.tolerance else { return nil }
        return last.since(clock)
    }
}
