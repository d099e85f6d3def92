import IRCWire

/// The lines to send: answers at once, the others as slowly as servers want it.
struct IRCOutbox: Sendable {
    /// The most answers that wait, for a peer that sends PING without end and reads nothing.
    private static let maximumUrgent = 256
    /// The size of waiting answers from which none is added: four lines of the greatest length.
    private static let maximumUrgentBytes = 64 * 1024

    private var urgent: [[UInt8]] = []
    private var urgentBytes = 0
    private var pacing = SendPacing()
    /// True when the session's questions have the next turn.
    private var isAskingNext = true

    /// Adds lines that go before everything else.
    mutating func postUrgent(_ messages: [IRCMessage]) {
        for message in messages where urgent.count < Self.maximumUrgent && urgentBytes < Self.maximumUrgentBytes {
            guard let line = Self.encoded(message) else { continue }
            urgent.append(line)
            urgentBytes += line.count
        }
    }

    /// Adds a line that goes in its turn; false where too many wait already.
    mutating func post(_ message: IRCMessage) -> Bool {
        guard let line = Self.encoded(message) else { return true }
        return pacing.enqueue(line)
    }

    /// Returns the bytes to send now, and when to call this again; nil where nothing waits.
    ///
    /// Posted lines and the session's questions take turns, so that neither waits for all of the other.
    mutating func take(at elapsed: Duration, for session: inout IRCSession?) -> (bytes: [UInt8], deadline: Duration?) {
        let time = elapsed.microseconds
        pacing.isUnlimited = session?.isSafeRate ?? false
        var lines = urgent
        (urgent, urgentBytes) = ([], 0)
        while pacing.hasTurn(at: time) {
            if let line = isAskingNext ? question(of: &session, at: elapsed) : pacing.line(at: time) {
                lines.append(line)
            } else if let line = isAskingNext ? pacing.line(at: time) : question(of: &session, at: elapsed) {
                lines.append(line)
            } else {
                break
            }
            isAskingNext.toggle()
        }
        let isWaiting = !pacing.isEmpty || session?.hasQuestion == true
        return (Array(lines.joined()), isWaiting ? .microseconds(pacing.earliest) : nil)
    }

    private mutating func question(of session: inout IRCSession?, at elapsed: Duration) -> [UInt8]? {
        guard let line = session?.ask(at: elapsed).flatMap(Self.encoded) else { return nil }
        pacing.spend(at: elapsed.microseconds)
        return line
    }

    /// SASL and PONG may be as long as the server made them; a line that can't be written at all is dropped.
    private static func encoded(_ message: IRCMessage) -> [UInt8]? {
        var limits = IRCMessage.Limits()
        limits.lineBytes = LineSplitter.maximumLineBytes
        return try? message.encoded(limits: limits)
    }
}
