import IRCWire

/// A connection until it is registered, as a value. Its lines belong to no session.
struct IRCLogin: Sendable {
    enum Outcome: Sendable {
        case ready
        case failed(RegistrationFailure)
        /// The server did not send IRC, or did not register us in time.
        case broken(detail: String)
    }

    /// The limit of messages that are kept from before the end of the registration. A server sends a handful of
    /// notices, and users may write to us while it sends its MOTD.
    private static let earlyLines = 64

    private(set) var registration: Registration
    /// True while the server has registered us and does not offer to log in.
    private(set) var isAwaited = false
    private(set) var splitter = LineSplitter()
    /// Messages that came before the end of the registration.
    private(set) var earlyMessages: [[UInt8]] = []
    /// Lines that followed the end of the registration in the same read.
    private(set) var rest: [LineSplitter.Received] = []
    /// The latest time of any line, by the server's clock, in microseconds since 1970. The latest one counts, because a
    /// bouncer's welcome has the time at which the bouncer itself was welcomed, and other answers have the present time
    /// (znc 1.8).
    private(set) var serverTime: Int64?
    /// The server's own name.
    private(set) var serverName: [UInt8] = []
    /// True if a bouncer welcomed us while it was not connected to its network, so that its rooms come later: znc 1.8
    /// welcomes us in its own name, and soju 0.9 sends no modes of the account (221).
    private(set) var isBouncerOffline = false

    init(_ registration: Registration) {
        self.registration = registration
    }

    mutating func start() -> [IRCMessage] {
        registration.start().compactMap { if case .send(let line) = $0 { line } else { nil } }
    }

    /// The text of the last message from before the end of the registration; nil if there was none.
    var lastText: String? {
        earlyMessages.last.flatMap { try? IRCMessage(line: $0) }?.params.last.map { DecodedText($0).text }
    }

    /// Handles a read. Returns the answers to send, and the outcome once there is one.
    mutating func received(_ bytes: [UInt8]) -> (send: [IRCMessage], outcome: Outcome?) {
        var send: [IRCMessage] = []
        var lines = splitter.splitLines(bytes)[...]
        while let received = lines.popFirst() {
            guard case .line(let line) = received else {
                return (send, .broken(detail: "the server sent a line over \(LineSplitter.maximumLineBytes) bytes"))
            }
            guard let message = try? IRCMessage(line: line) else { continue }
            if let outcome = register(message, line, &send) {
                rest = Array(lines)
                return (send, outcome)
            }
        }
        return (send, nil)
    }

    private mutating func register(_ message: IRCMessage, _ line: [UInt8], _ send: inout [IRCMessage]) -> Outcome? {
        if let pong = message.pong { send.append(pong) }
        if let time = message.tag("time").flatMap(ServerTime.microseconds) {
            serverTime = max(time, serverTime ?? time)
        }
        if message.verb == "001", let source = message.source { serverName = source.bytes }
        noteOfflineBouncer(message)
        let isMessage = ["NOTICE", "PRIVMSG", "WALLOPS"].contains(message.verb)
        if isMessage, earlyMessages.count < Self.earlyLines { earlyMessages.append(line) }
        for action in registration.receive(message) {
            switch action {
            case .send(let line): send.append(line)
            case .ready: return .ready
            case .ended(let failure): return .failed(failure)
            case .loginAwaited: isAwaited = true
            case .capabilitiesChanged, .supportChanged: break
            }
        }
        return nil
    }

    private mutating func noteOfflineBouncer(_ message: IRCMessage) {
        switch message.verb {
        case "001" where message.source?.bytes == Array("irc.znc.in".utf8): isBouncerOffline = true
        case "004" where message.param(2) == Array("soju".utf8): isBouncerOffline = true
        case "221" where serverName != Array("irc.znc.in".utf8): isBouncerOffline = false
        default: break
        }
    }
}
