import ChatModel
import IRCWire

/// Counts the messages of one replay: earlier messages that the server sends again, in a batch such as a page of
/// history, or as lines without one.
///
/// It needs all messages in their order, as it counts those that are equal. A second replay needs a value of its own:
/// pages that follow each other share their last and first messages.
struct IRCReplay: Sendable {
    private var counter = OccurrenceCounter(folding: .exact)
    /// The number of messages so far.
    private(set) var count = 0
    /// True when any time has a fraction. Servers that cut times to whole seconds (inspircd 3.15 does in a replay, with
    /// times of milliseconds in live lines) cut all of them; where all are whole by chance, seconds are right as well.
    private(set) var hasFractions = false

    /// - Parameter messages: The part that is known beforehand, so that a whole time at its beginning is not mistaken
    ///   for a cut one.
    init(of messages: [IRCMessage] = []) {
        for message in messages {
            if let time = message.tag("time").flatMap(ServerTime.microseconds) { look(at: time) }
        }
    }

    /// - Returns: nil for a message with neither id nor time: nothing shows whether it was received live, and every
    ///   replay would store it again.
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
