import IRCWire

/// A connection until it is registered, as a value; what comes before belongs to no session.
struct IRCLogin: Sendable {
    enum Outcome: Sendable {
        case ready
        case failed(RegistrationFailure)
        /// What the server sends is no IRC.
        case broken(detail: String)
    }

    /// What the server says to somebody who is not registered yet: a handful of notices. Others may speak to us while it sends its
    /// MOTD.
    private static let earlyLines = 64

    private(set) var registration: Registration
    private(set) var splitter = LineSplitter()
    /// What was said before the end of it.
    private(set) var early: [[UInt8]] = []
    /// What came behind the end of it, in one read with that.
    private(set) var rest: [LineSplitter.Received] = []
    /// The latest that any line of it tells, by the server's clock. A bouncer's welcome has the time at which it was itself
    /// welcomed, behind answers that have the time of now (znc 1.8).
    private(set) var serverTime: Int64?
    /// What the server calls itself.
    private(set) var serverName: [UInt8] = []

    init(_ registration: Registration) {
        self.registration = registration
    }

    mutating func start() -> [IRCMessage] {
        registration.start().compactMap { if case .send(let line) = $0 { line } else { nil } }
    }

    /// What the server said last to us for people, before the end of it; nil where it said nothing.
    var lastWords: String? {
        early.last.flatMap { try? IRCMessage(line: $0) }?.params.last.map { DecodedText($0).text }
    }

    /// What to send, all of it answers; and what it came to, if it has.
    mutating func received(_ bytes: [UInt8]) -> (send: [IRCMessage], outcome: Outcome?) {
        var send: [IRCMessage] = []
        var lines = splitter.read(bytes)[...]
        while let received = lines.popFirst() {
            guard case .line(let line) = received else {
                return (send, .broken(detail: "the server sent a line over \(LineSplitter.maximumLineBytes) bytes"))
            }
            guard let message = try? IRCMessage(line: line) else { continue }
            if let outcome = take(message, line, &send) {
                rest = Array(lines)
                return (send, outcome)
            }
        }
        return (send, nil)
    }

    private mutating func take(_ message: IRCMessage, _ line: [UInt8], _ send: inout [IRCMessage]) -> Outcome? {
        if let pong = message.pong { send.append(pong) }
        if let time = message.tag("time").flatMap(ServerTime.microseconds) {
            serverTime = max(time, serverTime ?? time)
        }
        if message.verb == "001", let source = message.source { serverName = source.bytes }
        let isSaid = ["NOTICE", "PRIVMSG", "WALLOPS"].contains(message.verb)
        if isSaid, early.count < Self.earlyLines { early.append(line) }
        for action in registration.receive(message) {
            switch action {
            case .send(let line): send.append(line)
            case .ready: return .ready
            case .ended(let failure): return .failed(failure)
            case .capabilitiesChanged, .supportChanged: break
            }
        }
        return nil
    }
}
