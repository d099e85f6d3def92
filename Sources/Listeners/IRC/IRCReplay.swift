import ChatModel
import IRCWire

/// What is told again of what was said before, as far as it came: a batch of it, as a page of history is, or lines without one.
///
/// It is given all messages in their order, as it counts those that are alike. A replay that begins anew is another one: pages
/// that follow each other have their last and first messages in common.
struct IRCReplay: Sendable {
    private var counter = OccurrenceCounter(folding: .exact)
    /// Messages so far.
    private(set) var count = 0
    /// Whether any time of it has a fraction. Servers that cut times to whole seconds (inspircd 3.15 does in a replay, with
    /// times of milliseconds in what is live) cut all of them; where all are whole by chance, in seconds is right as well.
    private(set) var hasFractions = false

    /// - Parameter messages: All of it that is known beforehand, so that what begins with a whole time is not taken for cut.
    init(of messages: [IRCMessage] = []) {
        for message in messages {
            if let time = message.tag("time").flatMap(ServerTime.microseconds) { look(at: time) }
        }
    }

    /// - Returns: nil for what has neither id nor time: nothing tells whether it was heard when it was said, and it comes again
    ///   with each replay.
    mutating func event(_ message: IncomingMessage) -> ChatEvent? {
        count += 1
        guard message.remoteID != nil || message.sourceTime != nil else { return nil }
        if let time = message.sourceTime { look(at: time.microseconds) }
        let resolution = hasFractions ? TimeResolution.microsecond : .second
        return .message(message, .replay(counter.count(message, resolution: resolution), resolution))
    }

    private mutating func look(at time: Int64) {
        if time % TimeResolution.second.microseconds != 0 { hasFractions = true }
    }
}
