package import ChatModel

/// Gives out times of receipt, which never go back within an account whatever this machine's clock does.
///
/// After the wall clock was ahead, times of receipt go on from there, at the pace of the steady clock: what passes between two
/// of them is what really passed. Only over a time of which nothing can be missing may they take their time, so that the wall
/// clock catches up.
package struct ReceiptClock: Sendable, Hashable {
    /// A clock that is behind by more is not trusted: a leap second or a summer time set wrong is less.
    package static let tolerance: Duration = .seconds(3600)
    /// Closer to the wall clock, a time of receipt is taken for it: many lines in one read, and a clock that is slewed, take
    /// milliseconds.
    static let slack: Duration = .seconds(1)

    /// The latest time given out or claimed; nil while there is none.
    package private(set) var last: Timestamp?
    /// How far the latest time given out is ahead of the wall clock, in microseconds; 0 within ``slack``.
    private(set) var ahead: Int64 = 0
    /// The steady clock when `last` was given out; nil before that.
    private var steady: Duration?
    /// The start of this machine, as a time of receipt.
    private var bootedAt: Timestamp?
    /// The offset that the archive has.
    private var told = ReceiptOffset()
    /// The latest that the wall clock has said in this connection.
    private var reading: Timestamp?

    package init(last: Timestamp?) {
        self.last = last
    }

    /// Goes on after what an earlier process has stored, which may be this one.
    mutating func resume(after stored: StoredReceipt, at clock: ClockReading, boot: String? = ClockReading.boot) {
        guard last.map({ $0 < stored.time }) ?? true else { return }
        // By the steady clock where the machine has not been started again, else by the wall clock, if that went forward.
        let passed: Duration
        if let booted = stored.offset.bootedAt, let boot, stored.offset.boot == boot {
            passed = clock.steady - stored.time.since(booted)
        } else {
            passed = clock.wall.since(stored.time.advanced(byMicroseconds: 0 &- stored.offset.ahead))
        }
        last = stored.time
        steady = clock.steady - max(.zero, passed)
    }

    /// The wall clock's time, unless that is before what really passed since the last time given out.
    ///
    /// - Parameter catchesUp: Whether nothing can be missing since the last one: then half of that time will do.
    package mutating func stamp(_ clock: ClockReading, catchesUp: Bool = false) -> Timestamp {
        reading = reading.map { max($0, clock.wall) } ?? clock.wall
        let time = next(clock, catchesUp: catchesUp)
        let lead = time.since(clock.wall)
        ahead = lead > Self.slack ? lead.microseconds : 0
        bootedAt = clock.wall.advanced(byMicroseconds: ahead).advanced(by: .zero - clock.steady)
        last = time
        steady = steady.map { max($0, clock.steady) } ?? clock.steady
        return time
    }

    private func next(_ clock: ClockReading, catchesUp: Bool) -> Timestamp {
        guard let last else { return clock.wall }
        let passed = steady.map { max(.zero, clock.steady - $0) } ?? .zero
        let due = last.advanced(by: catchesUp ? passed / 2 : passed)
        let soonest = last.advanced(byMicroseconds: 1)
        return max(soonest, due.since(clock.wall) > Self.slack ? due : clock.wall)
    }

    /// Another time of the same instant as the last one.
    mutating func next() -> Timestamp {
        let time = last?.advanced(byMicroseconds: 1) ?? .earliestBelieved
        last = time
        return time
    }

    /// What the wall clock said at a time of receipt of lately.
    func wall(at time: Timestamp) -> Timestamp { time.advanced(byMicroseconds: 0 &- ahead) }

    /// Nothing is given out from here on that is not later than `time`.
    package mutating func advance(to time: Timestamp) {
        last = last.map { max($0, time) } ?? time
    }

    /// A new connection: its clock may be another than that of the one before, and what was given out still holds.
    package mutating func beginConnection() {
        reading = nil
    }

    /// How times of receipt differ from this machine's clocks, for the archive.
    mutating func offset() -> ReceiptOffset {
        told = ReceiptOffset(ahead: ahead, bootedAt: bootedAt, boot: ClockReading.boot)
        return told
    }

    /// The same as an event, where it is not what the archive knows; empty where it is, but for what reading two clocks takes.
    mutating func news(of session: SessionID) -> [ChatEvent] {
        let stepped = bootedAt.flatMap { booted in
            told.bootedAt.map { booted.since($0).microseconds.magnitude > 100_000 }
        }
        guard (ahead &- told.ahead).magnitude >= 1000 || stepped ?? false else { return [] }
        return [.receiptOffset(session: session, offset())]
    }

    /// The clock is so far behind what it said before in this connection that it was set back.
    package func isBehind(_ clock: ClockReading) -> Bool {
        guard let reading else { return false }
        return reading.since(clock.wall) > Self.tolerance
    }

    /// What an operator should know of a clock that ``isBehind(_:)``.
    func sentence(clock: ClockReading) -> String {
        "this machine's clock was set back from \(reading ?? clock.wall) to \(clock.wall)"
    }
}
