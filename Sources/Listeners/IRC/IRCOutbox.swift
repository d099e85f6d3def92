import IRCWire

/// What is to be sent: answers at once, the rest as slowly as servers want it.
struct IRCOutbox: Sendable {
    /// A peer that sends PING without end and reads nothing gets no more answers than these.
    private static let maximumUrgent = 256
    /// Bytes of them: four lines as long as they can be.
    private static let maximumUrgentBytes = 64 * 1024

    private var urgent: [[UInt8]] = []
    private var urgentBytes = 0
    private var pacing = SendPacing()
    /// Whose turn it is.
    private var isAskingNext = true

    /// Goes before everything else.
    mutating func hurry(_ messages: [IRCMessage]) {
        for message in messages where urgent.count < Self.maximumUrgent && urgentBytes < Self.maximumUrgentBytes {
            guard let line = Self.encoded(message) else { continue }
            urgent.append(line)
            urgentBytes += line.count
        }
    }

    /// Goes in its turn; false where too much waits already.
    mutating func post(_ message: IRCMessage) -> Bool {
        guard let line = Self.encoded(message) else { return true }
        return pacing.enqueue(line)
    }

    /// The bytes to send now, and when to ask again; nil where nothing waits.
    ///
    /// What is posted and the session's asking for rooms have a turn each, so that neither waits for all of the other.
    mutating func take(at elapsed: Duration, for session: inout IRCSession?) -> (bytes: [UInt8], deadline: Duration?) {
        let time = elapsed.microseconds
        pacing.isUnlimited = session?.registration.support.isSafeRate ?? false
        var lines = urgent
        (urgent, urgentBytes) = ([], 0)
        while pacing.hasTurn(at: time) {
            if let line = isAskingNext ? asked(by: &session, at: elapsed) : pacing.line(at: time) {
                lines.append(line)
            } else if let line = isAskingNext ? pacing.line(at: time) : asked(by: &session, at: elapsed) {
                lines.append(line)
            } else {
                break
            }
            isAskingNext.toggle()
        }
        let isWaiting = !pacing.isEmpty || session?.hasQuestion == true
        return (Array(lines.joined()), isWaiting ? .microseconds(pacing.earliest) : nil)
    }

    private mutating func asked(by session: inout IRCSession?, at elapsed: Duration) -> [UInt8]? {
        guard let line = session?.ask(at: elapsed).flatMap(Self.encoded) else { return nil }
        pacing.spend(at: elapsed.microseconds)
        return line
    }

    /// SASL and PONG may be as long as the server made them; what can't be written at all is left out.
    private static func encoded(_ message: IRCMessage) -> [UInt8]? {
        var limits = IRCMessage.Limits()
        limits.lineBytes = LineSplitter.maximumLineBytes
        return try? message.encoded(limits: limits)
    }
}
