import IRCWire

/// What is to be sent: answers at once, the rest as slowly as servers want it.
struct IRCOutbox: Sendable {
    /// A peer that sends PING without end and reads nothing gets no more answers than these.
    private static let maximumUrgent = 256

    private var urgent: [[UInt8]] = []
    private var pacing = SendPacing()

    /// Goes before everything else.
    mutating func hurry(_ messages: [IRCMessage]) {
        for message in messages where urgent.count < Self.maximumUrgent {
            if let line = Self.encoded(message) { urgent.append(line) }
        }
    }

    /// Goes in its turn; false where too much waits already.
    mutating func post(_ message: IRCMessage) -> Bool {
        guard let line = Self.encoded(message) else { return true }
        return pacing.enqueue(line)
    }

    /// The bytes to send now, and when to ask again; nil where nothing waits.
    mutating func take(at elapsed: Duration) -> (bytes: [UInt8], deadline: Duration?) {
        let lines = urgent + pacing.lines(at: elapsed.microseconds)
        urgent = []
        return (Array(lines.joined()), pacing.deadline.map { .microseconds($0) })
    }

    /// SASL and PONG may be as long as the server made them; what can't be written at all is left out.
    private static func encoded(_ message: IRCMessage) -> [UInt8]? {
        var limits = IRCMessage.Limits()
        limits.lineBytes = LineSplitter.maximumLineBytes
        return try? message.encoded(limits: limits)
    }
}
