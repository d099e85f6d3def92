import ChatModel
import IRCWire

/// Gets back the configured nick from another user.
extension IRCReceiver {
    mutating func regainNick() {
        if let line = presence.regain.nextRequest(at: step.elapsed) { step.send.append(line) }
    }

    /// Begins to receive conversations live, and requests their history up to now.
    private mutating func regained() {
        presence.regain.end()
        presence.beginLiveConversations(&step)
    }

    /// Handles a live QUIT or NICK before the nicks in ``IRCPresence`` change.
    mutating func noteNick(_ message: IRCMessage) {
        guard let wanted = presence.regain.nick.map(presence.names.key), let nick = message.source?.nick else { return }
        if message.verb == "NICK", presence.membership.isOwn(nick) { return regained() }
        let isItsHolder = presence.names.key(nick) == wanted && !presence.membership.isOwn(nick)
        guard isItsHolder, message.verb == "QUIT" || presence.names.key(message.param(0)) != wanted else { return }
        presence.regain.markFree(at: step.elapsed)
        regainNick()
    }

    /// Handles a refusal of our request for a nick: 432, 433, 435, 436, 438, 447, 484, and 437 if it names the nick
    /// instead of a room. Returns false for other messages.
    mutating func receiveNickRefusal(_ message: IRCMessage) -> Bool {
        guard let wanted = presence.regain.nick.map(presence.names.key) else { return false }
        switch message.verb {
        case "432", "433", "435", "436", "438", "447", "484": break
        case "437":
            guard message.params.dropFirst().contains(where: { presence.names.key($0) == wanted }) else { return false }
        default: return false
        }
        presence.regain.refused(message.verb, at: step.elapsed)
        return true
    }
}
