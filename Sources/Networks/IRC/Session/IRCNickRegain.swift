import IRCWire

/// Decides when to request the nick that another user had when we registered. All durations count from one instant.
struct IRCNickRegain: Sendable {
    /// The wait between two requests, because the nick may become free without a line to us.
    private static let interval: Duration = .seconds(300)
    /// The wait after a refusal because of the nick itself, a ban or a channel's mode, which may last.
    private static let longInterval: Duration = .seconds(3600)
    /// The shortest time between two requests. Servers that limit nick changes allow two or three a minute.
    private static let shortestInterval: Duration = .seconds(30)

    /// The wanted nick; nil if there is none to get back.
    private(set) var nick: [UInt8]?
    /// The time of the next request; nil if there is none.
    private(set) var nextTry: Duration?
    private var lastTry: Duration?

    init(_ nick: [UInt8]?, now: Duration) {
        self.nick = nick
        nextTry = nick.map { _ in now + Self.interval }
    }

    /// Returns the request for the nick, if it is due.
    mutating func nextRequest(at now: Duration) -> IRCMessage? {
        guard let nick, let time = nextTry, now >= time else { return nil }
        (lastTry, nextTry) = (now, now + Self.interval)
        return IRCMessage("NICK", [nick])
    }

    /// Notes that the nick is free, so that it is requested soon.
    mutating func markFree(at now: Duration) {
        guard nick != nil else { return }
        nextTry = lastTry.map { max(now, $0 + Self.shortestInterval) } ?? now
    }

    /// Notes that the server refused the nick.
    ///
    /// - Parameter code: The number of the answer. The nick may become available at any time after 433 and 436 (in
    ///   use), 437 (held for a while) and 438 (requested too soon).
    mutating func refused(_ code: String, at now: Duration) {
        guard nick != nil, !["433", "436", "437", "438"].contains(code) else { return }
        nextTry = now + Self.longInterval
    }

    /// Ends the attempts, because we have the nick or were given another one.
    mutating func end() {
        (nick, nextTry) = (nil, nil)
    }
}
