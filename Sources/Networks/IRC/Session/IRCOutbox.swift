import IRCWire
import Sessions

/// The lines to send: answers at once, the others at the rate that servers allow.
struct IRCOutbox: Sendable {
    /// The limit of answers that wait, for a peer that sends endless PINGs and reads nothing.
    private static let maximumUrgent = 256
    /// The size of waiting answers, in bytes, at which no answer is added: four lines of the greatest length.
    private static let maximumUrgentBytes = 64 * 1024

    private var urgent: [[UInt8]] = []
    private var urgentBytes = 0
    private var pacing = SendPacing()
    /// True if the session's requests have the next turn.
    private var isQuestionNext = true

    /// Adds lines that go before all others.
    mutating func postUrgent(_ messages: [IRCMessage]) {
        for message in messages where urgent.count < Self.maximumUrgent && urgentBytes < Self.maximumUrgentBytes {
            guard let line = Self.encoded(message) else { continue }
            urgent.append(line)
            urgentBytes += line.count
        }
    }

    /// Adds a line at the end of the queue. Returns false if too many lines wait.
    mutating func post(_ message: IRCMessage) -> Bool {
        guard let line = Self.encoded(message) else { return true }
        return pacing.enqueue(line)
    }

    /// Returns the bytes to send now, and the time of the next call; nil if no line waits.
    ///
    /// Posted lines and the session's requests take turns, so that neither waits for all of the other.
    mutating func nextBytes(at elapsed: Duration, for session: inout IRCSession?) -> (
        bytes: [UInt8], deadline: Duration?
    ) {
        let time = elapsed.microseconds
        pacing.isUnlimited = session?.isSafeRate ?? false
        var lines = urgent
        (urgent, urgentBytes) = ([], 0)
        while pacing.hasTurn(at: time) {
            if let line = isQuestionNext ? question(of: &session, at: elapsed) : pacing.line(at: time) {
                lines.append(line)
            } else if let line = isQuestionNext ? pacing.line(at: time) : question(of: &session, at: elapsed) {
                lines.append(line)
            } else {
                break
            }
            isQuestionNext.toggle()
        }
        let isWaiting = !pacing.isEmpty || session?.hasQuestion == true
        return (Array(lines.joined()), isWaiting ? .microseconds(pacing.earliest) : nil)
    }

    private mutating func question(of session: inout IRCSession?, at elapsed: Duration) -> [UInt8]? {
        guard let line = session?.nextQuestion(at: elapsed).flatMap(Self.encoded) else { return nil }
        pacing.spend(at: elapsed.microseconds)
        return line
    }

    /// Returns the bytes of an answer, which may be as long as the server made a challenge or a PING; nil for a line
    /// that can't be written, which is dropped.
    private static func encoded(_ message: IRCMessage) -> [UInt8]? {
        var limits = IRCMessage.Limits()
        limits.lineBytes = LineSplitter.maximumLineBytes
        return try? message.encoded(limits: limits)
    }
}
