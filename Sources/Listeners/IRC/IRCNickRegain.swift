import IRCWire

/// Decides when to ask for the nick that somebody else had as we registered; all durations count from one instant.
struct IRCNickRegain: Sendable {
    /// The wait between two requests: the nick may become free without a line that we receive.
    private static let interval: Duration = .seconds(300)
    /// The wait where the nick, a ban or a mode of a channel is in the way, which may last.
    private static let longInterval: Duration = .seconds(3600)
    /// The least time between two requests. Servers that limit changes of nicks allow two or three a minute.
    private static let shortestInterval: Duration = .seconds(30)

    /// The wanted nick; nil where there is none to get back.
    private(set) var nick: [UInt8]?
    /// The time of the next request; nil where there is none.
    private(set) var nextTry: Duration?
    private var lastTry: Duration?

    init(_ nick: [UInt8]?, now: Duration) {
        self.nick = nick
        nextTry = nick.map { _ in now + Self.interval }
    }

    /// Returns the line that asks for the nick, if it is time.
    mutating func ask(at now: Duration) -> IRCMessage? {
        guard let nick, let time = nextTry, now >= time else { return nil }
        (lastTry, nextTry) = (now, now + Self.interval)
        return IRCMessage("NICK", [nick])
    }

    /// Notes that nobody has the nick any more, so that it is requested soon.
    mutating func markFree(at now: Duration) {
        guard nick != nil else { return }
        nextTry = lastTry.map { max(now, $0 + Self.shortestInterval) } ?? now
    }

    /// Notes that the server refused the nick.
    ///
    /// - Parameter code: The number of the answer. In use (433, 436), held for a while (437) and requested too soon
    ///   (438) may change any time.
    mutating func refused(_ code: String, at now: Duration) {
        guard nick != nil, !["433", "436", "437", "438"].contains(code) else { return }
        nextTry = now + Self.longInterval
    }

    /// Ends the attempts: we have the nick, or somebody gave us another one.
    mutating func end() {
        (nick, nextTry) = (nil, nil)
    }
}
