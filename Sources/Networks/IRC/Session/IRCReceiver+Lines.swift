import ChatModel
import IRCWire

/// Turns lines into events.
extension IRCReceiver {
    /// Handles a batch's messages.
    ///
    /// - Parameter room: The room whose history the batch has; nil for a batch about the present.
    /// - Returns: The items about the present, which may add rows to many rooms and are handled step by step.
    mutating func receive(_ batch: Batch, replayOf room: [UInt8]?) -> [Batch.Item] {
        let room = batch.isReplay ? batch.params.first ?? room : room
        if room != nil, replays.begin(batch.messages) {
            defer { replays.endBatch() }
            return receive(batch, replayOf: room)
        }
        if room == nil, batch.type != "draft/multiline" { return receiveHistories(in: batch) }
        // This is the only type of batch that is one message.
        if batch.type == "draft/multiline" {
            for message in batch.messages { receive(message, raw: nil, replayOf: room) }
            return []
        }
        return batch.items.flatMap { item in
            switch item {
            case .message(let message):
                receive(message, raw: nil, replayOf: room)
                return [Batch.Item]()
            case .batch(let batch): return receive(batch, replayOf: room)
            }
        }
    }

    /// Handles the histories within the batch at once, because their coverage is reported at once.
    ///
    /// - Returns: The other items.
    private mutating func receiveHistories(in batch: Batch) -> [Batch.Item] {
        var others: [Batch.Item] = []
        for item in batch.items {
            guard case .batch(let inner) = item, inner.type != "draft/multiline" else {
                others.append(item)
                continue
            }
            if inner.isReplay {
                others += receive(inner, replayOf: nil)
            } else {
                others += receiveHistories(in: inner)
            }
        }
        return others
    }

    /// - Parameter raw: The line; nil for a message of a batch, whose lines are not kept.
    mutating func receive(_ message: IRCMessage, raw: [UInt8]?, replayOf room: [UInt8]? = nil) {
        let event = IRCEvent(message: message, raw: raw ?? Self.written(message), replayOf: room)
        if room == nil {
            noteBouncer(message)
            if !["331", "332", "333"].contains(message.verb) { reportPendingTopic() }
            if receiveBacklog(event) || isOutage(message) { return }
        }
        switch message.verb {
        case "PRIVMSG", "NOTICE": receiveMessage(event)
        case "TAGMSG": _ = receiveReaction(event)
        case "WALLOPS": keep(event, .notice, in: presence.names.server, body: message.param(0))
        case "JOIN", "PART", "KICK", "QUIT", "NICK", "RENAME": receiveMove(event)
        case "TOPIC":
            if room == nil { topics.changed(presence.names.key(message.param(0))) }
            receiveChange(event, .topic, body: message.param(1))
        case "331", "332", "333":
            if room == nil { receiveStandingTopic(event) }
        case "MODE": receiveChange(event, .mode, body: Array(message.params.dropFirst().joined(separator: [0x20])))
        case "INVITE": receiveInvitation(event)
        case "REDACT": receiveRedaction(event)
        case "353": _ = presence.membership.receive(message, support: presence.support, isReplay: room != nil)
        case "366":
            if room == nil { receiveEndOfTopics(message) }
            receiveEndOfNames(message)
        case "MARKREAD": receiveReadMarker(message)
        default: if !receiveNickRefusal(message) { receiveJoinRefusal(message) }
        }
    }

    /// Handles a live line about the bouncer's connection to its network.
    private mutating func noteBouncer(_ message: IRCMessage) {
        switch BouncerMark(message, support: presence.support) {
        case .lost: lostNetwork()
        case .connected:
            lostNetwork()
            presence.regainedNetwork(&step)
        case nil: break
        }
    }

    /// Returns true for a KICK by which bip reports that it lost its network. The account stays in the room.
    private func isOutage(_ message: IRCMessage) -> Bool {
        message.verb == "KICK" && message.source.map(BouncerMark.isBip) == true
    }

    /// - Parameter time: The time when the bouncer connected again, by the network's clock; nil if it has not yet.
    mutating func lostNetwork(until time: Timestamp? = nil) {
        guard let rooms = presence.lostNetwork(until: time, &step) else { return }
        spend(
            on: presence.membership.roomCount + presence.directRooms.keys.count,
            for: "reports of outages from the bouncer")
        backfill.lostNetwork(rooms)
    }

    /// Begins a room's live span again, at a live line of another user in it.
    private mutating func resumeLive(_ room: RoomReference, _ event: IRCEvent) {
        presence.regainedNetwork(&step)
        guard presence.endOutage(of: room) else { return }
        presence.beginLive(room, since: event.sourceTime, &step)
        backfill.lookUp(room, &step)
    }

    mutating func receiveMessage(_ event: IRCEvent) {
        let text = event.message.param(1)
        // Clients may repeat the reaction in the text, for clients that don't show tags.
        if receiveReaction(event), text.isEmpty { return }
        let isNotice = event.message.verb == "NOTICE"
        let request = CTCPMessage(text)
        let isAction = request?.isAction == true && !isNotice
        let kind: MessageKind = isAction ? .action : isNotice ? .notice : .message
        // An archiver does not answer CTCP requests.
        keep(event, kind, in: room(of: event), body: (isAction ? request?.body : request?.text) ?? text)
    }

    /// Returns the room of a message; for a conversation, the room of the partner.
    mutating func room(of event: IRCEvent) -> RoomReference {
        let message = event.message
        if let partner = partner(ofOwn: event) { return presence.direct(partner, &step) }
        let membership = presence.membership
        switch presence.support.room(of: message, nick: membership.nick, isJoined: membership.isJoined) {
        case .channel(let name, _): return presence.names.channel(name)
        case .server: return presence.names.server
        // The server has a name without a dot.
        case .direct where message.source?.bytes == presence.serverName: return presence.names.server
        case .direct(let nick):
            if message.source?.nick == nick { presence.names.keepSpelling(nick) }
            if message.source.map(BouncerMark.isBouncer) == true { presence.noteBouncerRoom(presence.names.key(nick)) }
            return presence.direct(nick, &step)
        }
    }

    /// Returns the partner of a replayed message if the account sent it. In the history of a conversation, each message
    /// to the partner is the account's, also under an earlier nick. Returns nil for any other message.
    private func partner(ofOwn event: IRCEvent) -> [UInt8]? {
        // A history with our own nick as its name may have messages of others to us.
        guard let room = event.replayOf, !presence.membership.isOwn(room),
            let source = event.message.source, !source.isServer,
            case .direct(let target) = presence.support.target(event.message.param(0))
        else { return nil }
        let key = presence.names.key(room)
        return presence.names.key(target) == key && presence.names.key(source.nick) != key ? target : nil
    }

    /// Returns true if the account sent the message, under its present nick or an earlier one.
    func isOwn(_ event: IRCEvent) -> Bool {
        presence.membership.isOwn(event.message.source?.nick) || partner(ofOwn: event) != nil
    }

    private mutating func receiveChange(_ event: IRCEvent, _ kind: MessageKind, body: [UInt8]) {
        let target = event.message.param(0)
        let isChannel = presence.support.isChannel(target)
        keep(event, kind, in: isChannel ? presence.names.channel(target) : presence.names.server, body: body)
    }

    /// Handles an INVITE. An invitation of another user belongs to the room; an invitation of us comes before we are in
    /// the room. A wanted room is joined at once.
    private mutating func receiveInvitation(_ event: IRCEvent) {
        let (nick, channel) = (event.message.param(0), event.message.param(1))
        if presence.membership.isJoined(channel) {
            keep(event, .invite, in: presence.names.channel(channel), body: nick)
        } else if let source = event.message.source, !source.isServer {
            keep(event, .invite, in: presence.direct(source.nick, &step), body: channel)
        } else {
            keep(event, .invite, in: presence.names.server, body: channel)
        }
        guard presence.membership.isOwn(nick), !presence.membership.isJoined(channel),
            !presence.isReplay(event, in: presence.names.server)
        else { return }
        if joining.invited(to: channel, at: step.elapsed) { join() }
    }

    /// Handles `REDACT target msgid :reason` (IRCv3 draft/message-redaction). In history, it may come before the
    /// retracted message.
    private mutating func receiveRedaction(_ event: IRCEvent) {
        guard !event.message.param(1).isEmpty else { return }
        let room = room(of: event)
        let by = event.message.source.map { presence.names.user($0.nick, isSelf: isOwn(event)) }
        let reason = event.message.param(2)
        let deletion = MessageDeletion(
            session: presence.isReplay(event, in: room) ? nil : presence.id, room: room,
            remoteID: presence.names.text(event.message.param(1)),
            sourceTime: event.sourceTime, receivedAt: step.at,
            retraction: MessageDeletion.Retraction(
                by: by, reason: reason.isEmpty ? nil : presence.names.text(reason),
                wipes: presence.configuration.wipesRedacted))
        step.events.append(.deleted(deletion))
    }

    /// - Parameters:
    ///   - body: The text; nil if the event has none.
    ///   - isSelf: True if we sent it; nil to decide by the nick and the history that has it.
    mutating func keep(
        _ event: IRCEvent, _ kind: MessageKind, in room: RoomReference, body: [UInt8]?, isSelf: Bool? = nil
    ) {
        let nick = event.message.source?.nick ?? presence.serverName
        let hasSender = kind != .system && !nick.isEmpty
        let sender = hasSender ? presence.names.user(nick, isSelf: isSelf ?? isOwn(event)) : nil
        let isUTF8 = presence.names.isUTF8(nick) && (body.map(presence.names.isUTF8) ?? true)
        let flags: MessageFlags = isUTF8 ? [] : .invalidUTF8
        let message = IncomingMessage(
            session: presence.id, room: room, kind: sender == nil ? .system : kind, sender: sender,
            body: body.map(presence.names.text),
            remoteID: event.remoteID.map(presence.names.text),
            sourceTime: event.sourceTime, receivedAt: step.at,
            flags: event.message.isFromBot ? flags.union(.bot) : flags,
            replyTo: event.message.replyTo.map(presence.names.text), raw: event.raw)
        if presence.isReplay(event, in: room) {
            step.events += [replays.event(message)].compactMap(\.self)
            return
        }
        if presence.isSilent(room), sender?.isSelf != true { resumeLive(room, event) }
        replays.end(of: room)
        if presence.hasHistory, message.remoteID == nil, backfill.countLive(event.message, in: room) { return }
        step.events.append(.message(message))
    }

    /// Returns a line with the message; nil if it can't be written as one line.
    private static func written(_ message: IRCMessage) -> [UInt8]? {
        var limits = IRCMessage.Limits.server
        limits.lineBytes = LineSplitter.maximumLineBytes
        return try? message.encoded(limits: limits).dropLast(2)
    }
}

/// A line of a session.
struct IRCEvent: Sendable {
    let message: IRCMessage
    /// The bytes of the line; nil if there are none.
    let raw: [UInt8]?
    /// The room to whose history the line belongs; nil for a live line.
    let replayOf: [UInt8]?

    /// The msgid.
    var remoteID: [UInt8]? {
        message.tag("msgid").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The time by the server's clock.
    var sourceTime: Timestamp? {
        message.tag("time").flatMap(ServerTime.microseconds).map { Timestamp(microseconds: $0) }
    }
}
