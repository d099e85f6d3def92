import ChatModel
import IRCWire

/// Turns reactions into events.
extension IRCHearing {
    /// Takes a reaction. Other contents of a TAGMSG, such as who is typing, are not kept.
    ///
    /// - Returns: True when the message is a reaction.
    mutating func reacted(_ heard: IRCHeard) -> Bool {
        guard let source = heard.message.source, let reaction = heard.message.reaction,
            let target = heard.message.replyTo
        else { return false }
        let room = room(of: heard)
        let isReplay = presence.isReplay(heard, in: room)
        // Without a time it can't be told what of it holds: this, or what was heard.
        guard !isReplay || heard.sourceTime != nil else { return true }
        let incoming = IncomingReaction(
            session: isReplay ? nil : presence.id, room: room, target: presence.names.text(target),
            sender: presence.names.user(source.nick, isSelf: presence.membership.isOwn(source.nick)),
            text: presence.names.text(reaction.text),
            sourceTime: heard.sourceTime, receivedAt: step.at, isRemoved: reaction.isRemoved,
            ownID: heard.remoteID.map(presence.names.text))
        step.events.append(.reaction(incoming))
        return true
    }
}
