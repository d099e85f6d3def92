package import ChatModel

/// Gives out times of receipt, which never go back within an account whatever this machine's clock does.
package struct ReceiptClock: Sendable, Hashable {
    /// A clock that is behind by more is not trusted: a leap second or a summer time set wrong is less.
    package static let tolerance: Duration = .seconds(3600)

    /// The latest time given out or claimed; nil while there is none.
    package private(set) var last: Timestamp?

    package init(last: Timestamp?) {
        self.last = last
    }

    /// The later of the clock and the microsecond after the last one given out.
    package mutating func stamp(_ clock: Timestamp) -> Timestamp {
        let time = last.map { max(clock, $0.advanced(byMicroseconds: 1)) } ?? clock
        last = time
        return time
    }

    /// Nothing is given out from here on that is not later than `time`.
    package mutating func advance(to time: Timestamp) {
        last = last.map { max($0, time) } ?? time
    }

    /// The clock is so far behind what was given out that it was set back, or had been ahead.
    package func isBehind(_ clock: Timestamp) -> Bool {
        guard let last else { return false }
        return last.since(clock) > Self.tolerance
    }

    /// What an operator should know of a clock that ``isBehind(_:)``.
    func sentence(clock: Timestamp) -> String {
        """
        this machine's clock says \(clock), which is more than an hour before what was last received, \
        \(last ?? clock): set it right; nothing is received until it is
        """
    }
}
