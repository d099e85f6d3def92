import ChatModel
import IRCWire

/// What is told again of what was said before, as far as it came: one batch of it, lines without one, or one page of
/// history after the other.
///
/// It is given all messages in their order, as it counts those that are alike. A replay that begins anew is another one.
struct IRCReplay: Sendable {
    private var counter = OccurrenceCounter(folding: .exact)
    /// Whether any time of it has a fraction. Servers that cut times to whole seconds (inspircd 3.15 does in a replay, with
    /// times of milliseconds in what is live) cut all of them; where all are whole by chance, in seconds is right as well.
    private(set) var hasFractions = false

    /// Looks at times before any of them counts, so that a batch that begins with a whole one is not taken for cut.
    mutating func look(at messages: [IRCMessage]) {
        for message in messages {
            if let time = message.tag("time").flatMap(ServerTime.microseconds) { look(at: time) }
        }
    }

    /// - Returns: nil for what has neither id nor time: nothing tells whether it was heard when it was said, and it comes again
    ///   with each replay.
    mutating func event(_ message: IncomingMessage) -> ChatEvent? {
        guard message.remoteID != nil || message.sourceTime != nil else { return nil }
        if let time = message.sourceTime { look(at: time.microseconds) }
        let resolution = hasFractions ? TimeResolution.microsecond : .second
        return .replayed(
            message, occurrence: counter.count(message, resolution: resolution), resolution: resolution)
    }

    private mutating func look(at time: Int64) {
        if time % TimeResolution.second.microseconds != 0 { hasFractions = true }
    }
}
