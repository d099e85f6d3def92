import ChatModel
import IRCWire

/// Turns single lines into messages, reactions and retractions, each with its room.
extension IRCPresence {
    /// Returns the room of a message; for a conversation, the room of the partner.
    mutating func room(of event: IRCEvent, _ step: inout IRCStep) -> RoomReference {
        let message = event.message
        if let partner = partner(ofOwn: event) { return direct(partner, &step) }
        switch support.room(of: message, nick: membership.nick, isJoined: membership.isJoined) {
        case .channel(let name, _): return names.channel(name)
        case .server: return names.server
        // The server has a name without a dot.
        case .direct where message.source?.bytes == serverName: return names.server
        case .direct(let nick):
            if message.source?.nick == nick { names.keepSpelling(nick) }
            if message.source.map(BouncerMark.isBouncer) == true { noteBouncerRoom(names.key(nick)) }
            return direct(nick, &step)
        }
    }

    /// Returns the partner of a replayed message if the account sent it. In the history of a conversation, each message
    /// to the partner is the account's, also under an earlier nick. Returns nil for any other message.
    private func partner(ofOwn event: IRCEvent) -> [UInt8]? {
        // A history with our own nick as its name may have messages of others to us.
        guard let room = event.replayOf, !membership.isOwn(room),
            let source = event.message.source, !source.isServer,
            case .direct(let target) = support.target(event.message.param(0))
        else { return nil }
        let key = names.key(room)
        return names.key(target) == key && names.key(source.nick) != key ? target : nil
    }

    /// Returns true if the account sent the message, under its present nick or an earlier one.
    private func isOwn(_ event: IRCEvent) -> Bool {
        membership.isOwn(event.message.source?.nick) || partner(ofOwn: event) != nil
    }

    /// - Parameters:
    ///   - body: The text; nil if the event has none.
    ///   - isSelf: True if we sent it; nil to decide by the nick and the history that has it.
    func message(
        _ event: IRCEvent, _ kind: MessageKind, in room: RoomReference, body: [UInt8]?, isSelf: Bool?,
        at time: Timestamp
    ) -> IncomingMessage {
        let nick = event.message.source?.nick ?? serverName
        let hasSender = kind != .system && !nick.isEmpty
        let sender = hasSender ? names.user(nick, isSelf: isSelf ?? isOwn(event)) : nil
        let isUTF8 = names.isUTF8(nick) && (body.map(names.isUTF8) ?? true)
        let flags: MessageFlags = isUTF8 ? [] : .invalidUTF8
        return IncomingMessage(
            session: id, room: room, kind: sender == nil ? .system : kind, sender: sender,
            body: body.map(names.text),
            remoteID: event.remoteID.map(names.text),
            sourceTime: event.sourceTime, receivedAt: time,
            flags: event.message.isFromBot ? flags.union(.bot) : flags,
            replyTo: event.message.replyTo.map(names.text), raw: event.raw)
    }

    /// Handles a reaction. Other contents of a TAGMSG, such as typing notifications, are not kept.
    ///
    /// - Returns: True if the message is a reaction.
    mutating func receiveReaction(_ event: IRCEvent, _ step: inout IRCStep) -> Bool {
        guard let source = event.message.source, let reaction = event.message.reaction,
            let target = event.message.replyTo
        else { return false }
        let room = room(of: event, &step)
        let isReplay = isReplay(event, in: room)
        // Without a time it is unknown which one holds: this reaction or the live one.
        guard !isReplay || event.sourceTime != nil else { return true }
        let incoming = IncomingReaction(
            session: isReplay ? nil : id, room: room, target: names.text(target),
            sender: names.user(source.nick, isSelf: isOwn(event)),
            text: names.text(reaction.text),
            sourceTime: event.sourceTime, receivedAt: step.at, isRemoved: reaction.isRemoved,
            ownID: event.remoteID.map(names.text))
        step.events.append(.reaction(incoming))
        return true
    }

    /// Handles `REDACT target msgid :reason` (IRCv3 draft/message-redaction). In history, it may come before the
    /// retracted message.
    mutating func receiveRedaction(_ event: IRCEvent, _ step: inout IRCStep) {
        guard let target = event.message.text(1) else { return }
        let room = room(of: event, &step)
        let by = event.message.source.map { names.user($0.nick, isSelf: isOwn(event)) }
        let deletion = MessageDeletion(
            session: isReplay(event, in: room) ? nil : id, room: room, remoteID: names.text(target),
            sourceTime: event.sourceTime, receivedAt: step.at,
            retraction: MessageDeletion.Retraction(
                by: by, reason: event.message.text(2).map(names.text), wipes: configuration.wipesRedacted))
        step.events.append(.deleted(deletion))
    }
}
