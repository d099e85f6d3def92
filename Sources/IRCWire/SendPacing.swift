/// When lines may be sent, so that no server takes us for a flood: five at once, then one in two seconds, which is what
/// RFC 1459 (§8.10) lets a client do.
///
/// Has no clock: every call says what time it is, in microseconds of any epoch.
package struct SendPacing: Sendable {
    /// Lines at once after a rest.
    static let burst = 5
    /// Microseconds until another may follow.
    static let interval: Int64 = 2_000_000
    /// Lines that wait: joins and history of a thousand rooms. Past it something is asked faster than it can be sent.
    static let maximumWaiting = 4096

    /// The server wants lines to be sent at once.
    package var isUnlimited = false
    private var waiting: [[UInt8]] = []
    /// The first of `waiting` that is not sent.
    private var next = 0
    /// When all that was sent has been paid for; never more than `burst - 1` intervals ahead when a line is sent.
    private var paidUntil = Int64.min

    package init() {}

    package var isEmpty: Bool { next == waiting.count }

    /// False where too many wait: the line is not taken.
    package mutating func enqueue(_ line: [UInt8]) -> Bool {
        guard waiting.count - next < Self.maximumWaiting else { return false }
        waiting.append(line)
        return true
    }

    /// The lines to send now, in their order. A PONG does not wait here: it is sent at once.
    package mutating func lines(at time: Int64) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        while let line = line(at: time) { lines.append(line) }
        return lines
    }

    /// The first of those that wait, if it may be sent now.
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

    /// Whether a line may be sent now, be it one that waits here or not.
    package func hasTurn(at time: Int64) -> Bool { time >= earliest }

    /// A line is sent.
    package mutating func spend(at time: Int64) {
        if !isUnlimited { paidUntil = max(paidUntil, time) &+ Self.interval }
    }

    /// When to ask again; nil where nothing waits.
    package var deadline: Int64? {
        isEmpty ? nil : earliest
    }

    /// When a line may be sent.
    package var earliest: Int64 {
        guard !isUnlimited else { return .min }
        let credit = Int64(Self.burst - 1) * Self.interval
        return paidUntil < .min + credit ? .min : paidUntil - credit
    }
}
