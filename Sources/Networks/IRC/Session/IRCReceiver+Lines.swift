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
            if !["331", "332", "333"].contains(message.verb) { topics.reportPending(presence, &step) }
            if backlogs.receive(event, &presence, &step) || isOutage(message) { return }
        }
        switch message.verb {
        case "PRIVMSG", "NOTICE": receiveMessage(event)
        case "TAGMSG": _ = presence.receiveReaction(event, &step)
        case "WALLOPS": keep(event, .notice, in: presence.names.server, body: message.param(0))
        case "JOIN", "PART", "KICK", "QUIT", "NICK", "RENAME": receiveMove(event)
        case "TOPIC":
            if room == nil { topics.changed(presence.names.key(message.param(0))) }
            receiveChange(event, .topic, body: message.param(1))
        case "331", "332", "333":
            if room == nil { topics.receiveStanding(event, presence, &step) }
        case "MODE": receiveChange(event, .mode, body: Array(message.params.dropFirst().joined(separator: [0x20])))
        case "INVITE": receiveInvitation(event)
        case "REDACT": presence.receiveRedaction(event, &step)
        case "353": _ = presence.membership.receive(message, support: presence.support, isReplay: room != nil)
        case "366":
            if room == nil { topics.receiveEndOfNames(message, presence, at: step.at) }
            presence.receiveEndOfNames(message, &step)
        case "MARKREAD": readMarks.receive(message, presence, &step)
        default: receiveRefusal(message)
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
        if presence.receiveReaction(event, &step), text.isEmpty { return }
        let isNotice = event.message.verb == "NOTICE"
        let request = CTCPMessage(text)
        let isAction = request?.isAction == true && !isNotice
        let kind: MessageKind = isAction ? .action : isNotice ? .notice : .message
        // An archiver does not answer CTCP requests.
        keep(event, kind, in: presence.room(of: event, &step), body: (isAction ? request?.body : request?.text) ?? text)
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
        if joining.invited(to: channel, at: step.elapsed) { joining.prepare(presence, &step) }
    }

    /// - Parameters:
    ///   - body: The text; nil if the event has none.
    ///   - isSelf: True if we sent it; nil to decide by the nick and the history that has it.
    mutating func keep(
        _ event: IRCEvent, _ kind: MessageKind, in room: RoomReference, body: [UInt8]?, isSelf: Bool? = nil
    ) {
        let message = presence.message(event, kind, in: room, body: body, isSelf: isSelf, at: step.at)
        if presence.isReplay(event, in: room) {
            step.events += [replays.event(message)].compactMap(\.self)
            return
        }
        if presence.isSilent(room), message.sender?.isSelf != true { resumeLive(room, event) }
        replays.end(of: room)
        if presence.hasHistory, message.remoteID == nil, backfill.countLive(event.message, in: room) { return }
        step.events.append(.message(message))
    }

    /// Handles the server's refusal of one of our requests.
    private mutating func receiveRefusal(_ message: IRCMessage) {
        if presence.receiveNickRefusal(message, at: step.elapsed) { return }
        if joining.receiveRefusal(message, presence, &step) { return }
        receiveRejoinRefusal(message)
    }

    /// Returns a line with the message; nil if it can't be written as one line.
    private static func written(_ message: IRCMessage) -> [UInt8]? {
        var limits = IRCMessage.Limits.server
        limits.lineBytes = LineSplitter.maximumLineBytes
        return try? message.encoded(limits: limits).dropLast(2)
    }
}
