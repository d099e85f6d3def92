import ChatModel
import IRCWire

/// Turns reactions into events.
extension IRCReceiver {
    /// Handles a reaction. Other contents of a TAGMSG, such as typing notifications, are not kept.
    ///
    /// - Returns: True if the message is a reaction.
    mutating func receiveReaction(_ event: IRCEvent) -> Bool {
        guard let source = event.message.source, let reaction = event.message.reaction,
            let target = event.message.replyTo
        else { return false }
        let room = room(of: event)
        let isReplay = presence.isReplay(event, in: room)
        // Without a time it is unknown which one holds: this reaction or the live one.
        guard !isReplay || event.sourceTime != nil else { return true }
        let incoming = IncomingReaction(
            session: isReplay ? nil : presence.id, room: room, target: presence.names.text(target),
            sender: presence.names.user(source.nick, isSelf: isOwn(event)),
            text: presence.names.text(reaction.text),
            sourceTime: event.sourceTime, receivedAt: step.at, isRemoved: reaction.isRemoved,
            ownID: event.remoteID.map(presence.names.text))
        step.events.append(.reaction(incoming))
        return true
    }
}
