import ChatModel
import IRCWire

/// Gets back the configured nick from another user.
extension IRCPresence {
    mutating func regainNick(_ step: inout IRCStep) {
        if let line = regain.nextRequest(at: step.elapsed) { step.send.append(line) }
    }

    /// Begins to receive conversations live, and requests their history up to now.
    private mutating func regained(_ step: inout IRCStep) {
        regain.end()
        beginLiveConversations(&step)
    }

    /// Handles a live QUIT or NICK before the nicks in ``membership`` change.
    mutating func noteNick(_ message: IRCMessage, _ step: inout IRCStep) {
        guard let wanted = regain.nick.map(names.key), let nick = message.source?.nick else { return }
        if message.verb == "NICK", membership.isOwn(nick) { return regained(&step) }
        let isItsHolder = names.key(nick) == wanted && !membership.isOwn(nick)
        guard isItsHolder, message.verb == "QUIT" || names.key(message.param(0)) != wanted else { return }
        regain.markFree(at: step.elapsed)
        regainNick(&step)
    }

    /// Handles a refusal of our request for a nick: 432, 433, 435, 436, 438, 447, 484, and 437 if it names the nick
    /// instead of a room. Returns false for other messages.
    mutating func receiveNickRefusal(_ message: IRCMessage, at elapsed: Duration) -> Bool {
        guard let wanted = regain.nick.map(names.key) else { return false }
        switch message.verb {
        case "432", "433", "435", "436", "438", "447", "484": break
        case "437":
            guard message.params.dropFirst().contains(where: { names.key($0) == wanted }) else { return false }
        default: return false
        }
        regain.refused(message.verb, at: elapsed)
        return true
    }
}
