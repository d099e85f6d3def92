/// Limits the rate of lines, so that no server treats us as a flood: five at once, and one every two seconds after
/// that, as RFC 1459 (§8.10) allows.
///
/// Each call takes the time, in microseconds since any epoch.
package struct SendPacing: Sendable {
    /// The limit of lines at once after a rest.
    static let burst = 5
    /// The microseconds between two lines.
    static let interval: Int64 = 2_000_000
    /// The limit of lines that wait: joins and history requests for 1,000 rooms. With more, requests come faster than
    /// they can be sent.
    static let maximumWaiting = 4096

    /// True if the server wants lines at once.
    package var isUnlimited = false
    private var waiting: [[UInt8]] = []
    /// The index of the first line in `waiting` that isn't sent.
    private var next = 0
    /// The time at which the sent lines no longer count. A line may be sent if this is at most `burst - 1` intervals
    /// ahead.
    private var paidUntil = Int64.min

    package init() {}

    /// True if no line waits.
    package var isEmpty: Bool { next == waiting.count }

    /// Adds a line. Returns false if too many wait; the line is then not taken.
    package mutating func enqueue(_ line: [UInt8]) -> Bool {
        guard waiting.count - next < Self.maximumWaiting else { return false }
        waiting.append(line)
        return true
    }

    /// Returns the lines to send now, in order. A PONG must not wait here; send it at once.
    package mutating func lines(at time: Int64) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        while let line = line(at: time) { lines.append(line) }
        return lines
    }

    /// Returns the first waiting line, if it may be sent now.
    package mutating func line(at time: Int64) -> [UInt8]? {
        guard !isEmpty, hasTurn(at: time) else { return nil }
        defer {
            next += 1
            if next > 64, next * 2 > waiting.count {
                waiting.removeFirst(next)
                next = 0
            }
        }
        spend(at: time)
        return waiting[next]
    }

    /// Returns true if a line may be sent now, a waiting one or another.
    package func hasTurn(at time: Int64) -> Bool { time >= earliest }

    /// Records that a line is sent.
    package mutating func spend(at time: Int64) {
        if !isUnlimited { paidUntil = max(paidUntil, time) &+ Self.interval }
    }

    /// The time of the next call of ``lines(at:)``; nil if no line waits.
    package var deadline: Int64? {
        isEmpty ? nil : earliest
    }

    /// The time from which a line may be sent.
    package var earliest: Int64 {
        guard !isUnlimited else { return .min }
        let credit = Int64(Self.burst - 1) * Self.interval
        return paidUntil < .min + credit ? .min : paidUntil - credit
    }
}
