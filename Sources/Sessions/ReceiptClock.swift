package import ChatModel

/// Returns times of receipt, which never go back within an account, even if this machine's clock does.
///
/// After the wall clock was ahead, times of receipt continue from there at the pace of the steady clock, so that the
/// difference between two of them is the real one. They run slower only while nothing can be missing, until the wall
/// clock has caught up.
package struct ReceiptClock: Sendable, Hashable {
    /// The step back of the wall clock above which it is not trusted. A leap second or a mistaken summer time is less.
    package static let tolerance: Duration = .seconds(3600)
    /// The difference up to which a time of receipt counts as equal to the wall clock. Many lines in one read, and a
    /// slewed clock, make a difference of milliseconds.
    static let slack: Duration = .seconds(1)

    /// The latest returned time, or the time of the last ``advance(to:)``; nil while there is none.
    package private(set) var last: Timestamp?
    /// The time by which the latest time is ahead of the wall clock, in microseconds; 0 within ``slack``.
    package private(set) var ahead: Int64 = 0
    /// The steady clock at `last`; nil before the first.
    private var steady: Duration?
    /// The time of receipt at which this machine started.
    private var bootedAt: Timestamp?
    /// The offset that the archive has.
    private var archivedOffset = ReceiptOffset()
    /// The latest wall clock reading of this connection.
    private var reading: Timestamp?

    /// - Parameter last: The account's latest stored time; nil in a new archive.
    package init(last: Timestamp?) {
        self.last = last
    }

    /// Continues after the last stored time of receipt, of this process or an earlier one.
    package mutating func resume(after stored: StoredReceipt, at clock: ClockReading, boot: String? = ClockReading.boot)
    {
        guard last.map({ $0 < stored.time }) ?? true else { return }
        // The time since then by the steady clock, if the machine has not restarted; otherwise by the wall clock, if it
        // went forward.
        let passed: Duration
        if let booted = stored.offset.bootedAt, let boot, stored.offset.boot == boot {
            passed = clock.steady - stored.time.since(booted)
        } else {
            passed = clock.wall.since(stored.time.advanced(byMicroseconds: 0 &- stored.offset.ahead))
        }
        last = stored.time
        steady = clock.steady - max(.zero, passed)
    }

    /// Returns the wall clock's time, or a later one if the real time since the last one requires it.
    ///
    /// - Parameter catchesUp: True if nothing can be missing since the last time. Only half of the real time counts in
    ///   that case.
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

    /// Returns the next time for the same instant, a microsecond after the last one.
    package mutating func next() -> Timestamp {
        let time = last?.advanced(byMicroseconds: 1) ?? .earliestPlausible
        last = time
        return time
    }

    /// The wall clock's reading at a recent time of receipt.
    package func wall(at time: Timestamp) -> Timestamp { time.advanced(byMicroseconds: 0 &- ahead) }

    /// Ensures that all later times exceed `time`.
    package mutating func advance(to time: Timestamp) {
        last = last.map { max($0, time) } ?? time
    }

    /// Begins a new connection, whose first clock reading may be before the last one. Times continue as before.
    package mutating func beginConnection() {
        reading = nil
    }

    /// Returns the offset between times of receipt and this machine's clocks, and remembers that the archive has it.
    package mutating func offset() -> ReceiptOffset {
        archivedOffset = ReceiptOffset(ahead: ahead, bootedAt: bootedAt, boot: ClockReading.boot)
        return archivedOffset
    }

    /// Returns the offset as an event, if it differs from the archive's. Ignores differences as small as the time
    /// between two clock readings.
    package mutating func offsetChange(of session: SessionID) -> [ChatEvent] {
        let stepped = bootedAt.flatMap { booted in
            archivedOffset.bootedAt.map { booted.since($0).microseconds.magnitude > 100_000 }
        }
        guard (ahead &- archivedOffset.ahead).magnitude >= 1000 || stepped ?? false else { return [] }
        return [.receiptOffset(session: session, offset())]
    }

    /// Returns true if the wall clock was set back: it is far behind its latest reading in this connection.
    package func isBehind(_ clock: ClockReading) -> Bool {
        guard let reading else { return false }
        return reading.since(clock.wall) > Self.tolerance
    }

    /// Returns a sentence for operators about a clock for which ``isBehind(_:)`` is true.
    package func stepDetail(_ clock: ClockReading) -> String {
        "this machine's clock was set back from \(reading ?? clock.wall) to \(clock.wall)"
    }
}
