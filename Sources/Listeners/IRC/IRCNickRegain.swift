import IRCWire

/// When to ask for the nick that was somebody else's as we registered; all times are since one instant.
struct IRCNickRegain: Sendable {
    /// Whoever has it may leave where we don't hear it.
    private static let interval: Duration = .seconds(300)
    /// Where the nick, a ban or a mode of a channel is in the way, that may be so for long.
    private static let longInterval: Duration = .seconds(3600)
    /// Servers that limit changes of nicks allow two or three a minute.
    private static let shortestInterval: Duration = .seconds(30)

    /// nil where there is none to get back.
    private(set) var nick: [UInt8]?
    /// nil where it won't be asked for.
    private(set) var nextTry: Duration?
    private var lastTry: Duration?

    init(_ nick: [UInt8]?, now: Duration) {
        self.nick = nick
        nextTry = nick.map { _ in now + Self.interval }
    }

    /// The line that asks for it, if it is time.
    mutating func ask(at now: Duration) -> IRCMessage? {
        guard let nick, let time = nextTry, now >= time else { return nil }
        (lastTry, nextTry) = (now, now + Self.interval)
        return IRCMessage("NICK", [nick])
    }

    /// Nobody has it any more.
    mutating func isFree(at now: Duration) {
        guard nick != nil else { return }
        nextTry = lastTry.map { max(now, $0 + Self.shortestInterval) } ?? now
    }

    /// - Parameter code: The number of the answer. In use (433, 436), for a while (437) or asked for too soon (438) is what
    ///   may change any time.
    mutating func refused(_ code: String, at now: Duration) {
        guard nick != nil, !["433", "436", "437", "438"].contains(code) else { return }
        nextTry = now + Self.longInterval
    }

    /// We have it, or somebody gave us another one.
    mutating func end() {
        (nick, nextTry) = (nil, nil)
    }
}
