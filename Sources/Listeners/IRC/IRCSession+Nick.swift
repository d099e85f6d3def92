import ChatModel
import IRCWire

/// Gets back the nick that was somebody else's.
extension IRCSession {
    mutating func regainNick() {
        if let line = regain.ask(at: now.elapsed) { step.send.append(line) }
    }

    /// False while somebody else, perhaps a dead connection of ours, has our nick: messages to that nick don't reach
    /// us.
    var hasOwnNick: Bool { regain.nick == nil }

    /// Begins to receive conversations live, and requests their history up to now.
    private mutating func regained() {
        regain.end()
        hearConversations()
    }

    /// Looks at a live QUIT or NICK, before it changes who has which nick.
    mutating func noteNick(_ message: IRCMessage) {
        guard let wanted = regain.nick.map(names.key), let nick = message.source?.nick else { return }
        if message.verb == "NICK", membership.isOwn(nick) { return regained() }
        let isItsHolder = names.key(nick) == wanted && !membership.isOwn(nick)
        guard isItsHolder, message.verb == "QUIT" || names.key(message.param(0)) != wanted else { return }
        regain.isFree(at: now.elapsed)
        regainNick()
    }

    /// Returns whether this is the answer to our request for a nick, and so not to a JOIN: 432, 433, 435, 436, 438,
    /// 447, 484, and 437 where it names the nick, not a room.
    mutating func refusedNick(_ message: IRCMessage) -> Bool {
        guard let wanted = regain.nick.map(names.key) else { return false }
        switch message.verb {
        case "432", "433", "435", "436", "438", "447", "484": break
        case "437": guard message.params.dropFirst().contains(where: { names.key($0) == wanted }) else { return false }
        default: return false
        }
        regain.refused(message.verb, at: now.elapsed)
        return true
    }
}
