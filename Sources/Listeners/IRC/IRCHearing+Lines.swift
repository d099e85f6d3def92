import ChatModel
import IRCWire

/// The meaning of lines to an archive.
extension IRCHearing {
    /// Hears a batch's messages.
    ///
    /// - Parameter room: The room whose history it is; nil for what happens now.
    /// - Returns: The items that happen now and may make rows in many rooms: they are heard step by step.
    mutating func hear(_ batch: Batch, replayOf room: [UInt8]?) -> [Batch.Item] {
        let room = batch.isReplay ? batch.params.first ?? room : room
        if room != nil, replays.begin(batch.messages) {
            defer { replays.endBatch() }
            return hear(batch, replayOf: room)
        }
        if room == nil, batch.type != "draft/multiline" { return hearHistories(in: batch) }
        // The only batch that is one message.
        if batch.type == "draft/multiline" {
            for message in batch.messages { hear(message, raw: nil, replayOf: room) }
            return []
        }
        return batch.items.flatMap { item in
            switch item {
            case .message(let message):
                hear(message, raw: nil, replayOf: room)
                return [Batch.Item]()
            case .batch(let batch): return hear(batch, replayOf: room)
            }
        }
    }

    /// Takes the histories within the batch at once, as claims about them follow at once.
    ///
    /// - Returns: The other items.
    private mutating func hearHistories(in batch: Batch) -> [Batch.Item] {
        var others: [Batch.Item] = []
        for item in batch.items {
            guard case .batch(let inner) = item, inner.type != "draft/multiline" else {
                others.append(item)
                continue
            }
            if inner.isReplay {
                others += hear(inner, replayOf: nil)
            } else {
                others += hearHistories(in: inner)
            }
        }
        return others
    }

    /// - Parameter raw: The line; nil for one in a batch, whose lines are not kept.
    mutating func hear(_ message: IRCMessage, raw: [UInt8]?, replayOf room: [UInt8]? = nil) {
        let heard = IRCHeard(message: message, raw: raw ?? Self.written(message), replayOf: room)
        if room == nil { noteBouncer(message) }
        switch message.verb {
        case "PRIVMSG", "NOTICE": said(heard)
        case "TAGMSG": _ = reacted(heard)
        case "WALLOPS": keep(heard, .notice, in: presence.names.server, body: message.param(0))
        case "JOIN", "PART", "KICK", "QUIT", "NICK", "RENAME": moved(heard)
        case "TOPIC": changed(heard, .topic, body: message.param(1))
        case "MODE": changed(heard, .mode, body: Array(message.params.dropFirst().joined(separator: [0x20])))
        case "INVITE": invited(heard)
        case "REDACT": redacted(heard)
        case "353": _ = presence.membership.receive(message, support: presence.support, isReplay: room != nil)
        case "366": listed(message)
        default: if !refusedNick(message) { refusedJoin(message) }
        }
    }

    /// Notices whether a line of now reports the bouncer's connection to its network.
    private mutating func noteBouncer(_ message: IRCMessage) {
        switch BouncerMark(message, support: presence.support) {
        case .lost: lostNetwork()
        case .connected:
            lostNetwork()
            presence.regainedNetwork(&step)
        case nil: break
        }
    }

    /// - Parameter time: When the bouncer was connected again, by the network's clock; nil where it is not yet.
    mutating func lostNetwork(until time: Timestamp? = nil) {
        guard let rooms = presence.lostNetwork(until: time, &step) else { return }
        spend(
            on: presence.membership.roomCount + presence.directs.keys.count, for: "of the bouncer's outages")
        backfill.lostNetwork(rooms)
    }

    /// Hears the room from a line of now on, which somebody else said in it.
    private mutating func hearsAgain(_ room: RoomReference, _ heard: IRCHeard) {
        presence.regainedNetwork(&step)
        guard presence.endOutage(of: room) else { return }
        presence.hears(room, since: heard.sourceTime, &step)
        backfill.lookUp(room, &step)
    }

    private mutating func said(_ heard: IRCHeard) {
        let text = heard.message.param(1)
        // Clients may say in the text what they react with, for those who see no tags.
        if reacted(heard), text.isEmpty { return }
        let isNotice = heard.message.verb == "NOTICE"
        let request = CTCPMessage(text)
        let isAction = request?.isAction == true && !isNotice
        let kind: MessageKind = isAction ? .action : isNotice ? .notice : .message
        // Whatever a CTCP message asks for, an archiver does not answer.
        keep(heard, kind, in: room(of: heard), body: (isAction ? request?.body : request?.text) ?? text)
    }

    /// The room of a message; for a conversation that is its partner's.
    mutating func room(of heard: IRCHeard) -> RoomReference {
        let message = heard.message
        switch presence.support.room(of: message, nick: presence.membership.nick) {
        case .channel(let name, _): return presence.names.channel(name)
        case .server: return presence.names.server
        // A server whose name has no dot.
        case .direct where message.source?.bytes == presence.serverName: return presence.names.server
        case .direct(let nick):
            if message.source?.nick == nick { presence.names.note(nick) }
            if message.source.map(BouncerMark.isBouncer) == true { presence.noteBouncerRoom(presence.names.key(nick)) }
            return presence.direct(nick, &step)
        }
    }

    private mutating func changed(_ heard: IRCHeard, _ kind: MessageKind, body: [UInt8]) {
        let target = heard.message.param(0)
        let isChannel = presence.support.isChannel(target)
        keep(heard, kind, in: isChannel ? presence.names.channel(target) : presence.names.server, body: body)
    }

    /// An invitation of somebody else belongs to the room; one of us comes before we are there. A wanted room is asked
    /// for at once.
    private mutating func invited(_ heard: IRCHeard) {
        let (nick, channel) = (heard.message.param(0), heard.message.param(1))
        if presence.membership.isJoined(channel) {
            keep(heard, .invite, in: presence.names.channel(channel), body: nick)
        } else if let source = heard.message.source, !source.isServer {
            keep(heard, .invite, in: presence.direct(source.nick, &step), body: channel)
        } else {
            keep(heard, .invite, in: presence.names.server, body: channel)
        }
        guard presence.membership.isOwn(nick), !presence.membership.isJoined(channel),
            !presence.isReplay(heard, in: presence.names.server)
        else { return }
        if joining.invited(to: channel, at: step.elapsed) { join() }
    }

    /// `REDACT target msgid :reason` (IRCv3 draft/message-redaction). In history it may come before the message that it
    /// retracts.
    private mutating func redacted(_ heard: IRCHeard) {
        guard !heard.message.param(1).isEmpty else { return }
        let room = room(of: heard)
        let by = heard.message.source.map { presence.names.user($0.nick, isSelf: presence.membership.isOwn($0.nick)) }
        let reason = heard.message.param(2)
        let deletion = MessageDeletion(
            session: presence.isReplay(heard, in: room) ? nil : presence.id, room: room,
            remoteID: presence.names.text(heard.message.param(1)),
            sourceTime: heard.sourceTime, receivedAt: step.at,
            retraction: MessageDeletion.Retraction(
                by: by, reason: reason.isEmpty ? nil : presence.names.text(reason),
                wipes: presence.configuration.wipesRedacted))
        step.events.append(.deleted(deletion))
    }

    /// - Parameters:
    ///   - body: nil where the event has none.
    ///   - isSelf: Whether we sent it; nil to find out by the nick.
    mutating func keep(
        _ heard: IRCHeard, _ kind: MessageKind, in room: RoomReference, body: [UInt8]?, isSelf: Bool? = nil
    ) {
        let nick = heard.message.source?.nick ?? presence.serverName
        let hasSender = kind != .system && !nick.isEmpty
        let sender = hasSender ? presence.names.user(nick, isSelf: isSelf ?? presence.membership.isOwn(nick)) : nil
        let isUTF8 = DecodedText(nick).isUTF8 && (body.map { DecodedText($0).isUTF8 } ?? true)
        let message = IncomingMessage(
            session: presence.id, room: room, kind: sender == nil ? .system : kind, sender: sender,
            body: body.map(presence.names.text),
            remoteID: heard.remoteID.map(presence.names.text),
            sourceTime: heard.sourceTime, receivedAt: step.at, flags: isUTF8 ? [] : .invalidUTF8,
            replyTo: heard.message.replyTo.map(presence.names.text), raw: heard.raw)
        if presence.isReplay(heard, in: room) {
            step.events += [replays.event(message)].compactMap(\.self)
            return
        }
        if presence.isUnheard(room), sender?.isSelf != true { hearsAgain(room, heard) }
        replays.end(of: room)
        if presence.hasHistory, message.remoteID == nil, backfill.note(heard: heard.message, in: room) { return }
        step.events.append(.message(message))
    }

    /// Writes the message as it might have come; nil where it can't be written, as a message of several lines.
    private static func written(_ message: IRCMessage) -> [UInt8]? {
        var limits = IRCMessage.Limits.server
        limits.lineBytes = LineSplitter.maximumLineBytes
        return try? message.encoded(limits: limits).dropLast(2)
    }
}

/// A line of a session.
struct IRCHeard: Sendable {
    let message: IRCMessage
    /// The bytes of the line; nil where there are none.
    let raw: [UInt8]?
    /// The room whose history the line belongs to; nil for a live line.
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
