import ChatModel
import IRCWire

/// Turns lines into events.
extension IRCSession {
    /// - Parameter room: The room whose history the batch is; nil for live events.
    mutating func hear(_ batch: Batch, replayOf room: [UInt8]?) {
        let room = batch.isReplay ? batch.params.first ?? room : room
        if room != nil, batchReplay == nil {
            batchReplay = IRCReplay(of: batch.messages)
            defer { batchReplay = nil }
            return hear(batch, replayOf: room)
        }
        // What happens now may make rows in many rooms: it is heard step by step.
        if room == nil, batch.type != "draft/multiline" { return hearNext(hearHistories(in: batch)) }
        // The only batch that is one message.
        if batch.type == "draft/multiline" {
            for message in batch.messages { hear(message, raw: nil, replayOf: room) }
            return
        }
        for item in batch.items {
            switch item {
            case .message(let message): hear(message, raw: nil, replayOf: room)
            case .batch(let batch): hear(batch, replayOf: room)
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
                hear(inner, replayOf: nil)
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
        case "WALLOPS": keep(heard, .notice, in: names.server, body: message.param(0))
        case "JOIN", "PART", "KICK", "QUIT", "NICK", "RENAME": moved(heard)
        case "TOPIC": changed(heard, .topic, body: message.param(1))
        case "MODE": changed(heard, .mode, body: Array(message.params.dropFirst().joined(separator: [0x20])))
        case "INVITE": invited(heard)
        case "REDACT": redacted(heard)
        case "353": _ = membership.receive(message, support: registration.support, isReplay: room != nil)
        case "366": listed(message)
        default: if !refusedNick(message) { refusedJoin(message) }
        }
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
        switch registration.support.room(of: message, nick: membership.nick) {
        case .channel(let name, _): return names.channel(name)
        case .server: return names.server
        // A server whose name has no dot.
        case .direct where message.source?.bytes == serverName: return names.server
        case .direct(let nick):
            if message.source?.nick == nick { names.note(nick) }
            if message.source.map(BouncerMark.isBouncer) == true { noteBouncerRoom(names.key(nick)) }
            return direct(nick)
        }
    }

    /// Returns the room of a conversation, which counts as heard since we registered: all messages to us since then
    /// were received. The messages that a bouncer sends to whoever is connected can't be requested.
    mutating func direct(_ nick: [UInt8]) -> RoomReference {
        let room = names.direct(nick)
        let insertion = directs.insert(room.key)
        guard insertion != .known else { return room }
        let partner = names.user(nick, isSelf: membership.isOwn(nick))
        step.events.append(.roomListed(RoomListing(room: room, partner: partner), at: openedAt))
        if insertion == .refused { return room }
        if bouncerRooms.contains(room.key) {
            step.events.append(.roomUncovered(room, at: openedAt))
        } else if isNetworkLost {
            unheard.insert(room.key)
        } else if hasOwnNick {
            step.events.append(.roomLive(session: id, room: room, at: heardSince))
        }
        return room
    }

    private mutating func changed(_ heard: IRCHeard, _ kind: MessageKind, body: [UInt8]) {
        let target = heard.message.param(0)
        let isChannel = registration.support.isChannel(target)
        keep(heard, kind, in: isChannel ? names.channel(target) : names.server, body: body)
    }

    /// An invitation of somebody else belongs to the room; one of us comes before we are there. A wanted room is asked
    /// for at once.
    private mutating func invited(_ heard: IRCHeard) {
        let (nick, channel) = (heard.message.param(0), heard.message.param(1))
        if membership.isJoined(channel) {
            keep(heard, .invite, in: names.channel(channel), body: nick)
        } else if let source = heard.message.source, !source.isServer {
            keep(heard, .invite, in: direct(source.nick), body: channel)
        } else {
            keep(heard, .invite, in: names.server, body: channel)
        }
        guard membership.isOwn(nick), !membership.isJoined(channel), !isReplay(heard, in: names.server) else { return }
        if joining.invited(to: channel, at: now.elapsed) { join() }
    }

    /// `REDACT target msgid :reason` (IRCv3 draft/message-redaction). In history it may come before the message that it
    /// retracts.
    private mutating func redacted(_ heard: IRCHeard) {
        guard !heard.message.param(1).isEmpty else { return }
        let room = room(of: heard)
        let by = heard.message.source.map { names.user($0.nick, isSelf: membership.isOwn($0.nick)) }
        let reason = heard.message.param(2)
        let deletion = MessageDeletion(
            session: isReplay(heard, in: room) ? nil : id, room: room, remoteID: names.text(heard.message.param(1)),
            sourceTime: heard.sourceTime, receivedAt: now.at,
            retraction: MessageDeletion.Retraction(
                by: by, reason: reason.isEmpty ? nil : names.text(reason), wipes: configuration.wipesRedacted))
        step.events.append(.deleted(deletion))
    }

    /// - Parameters:
    /// - body: nil where the event has none.
    /// - isSelf: Whether we sent it; nil to find out by the nick.
    mutating func keep(
        _ heard: IRCHeard, _ kind: MessageKind, in room: RoomReference, body: [UInt8]?, isSelf: Bool? = nil
    ) {
        let nick = heard.message.source?.nick ?? serverName
        let hasSender = kind != .system && !nick.isEmpty
        let sender = hasSender ? names.user(nick, isSelf: isSelf ?? membership.isOwn(nick)) : nil
        let isUTF8 = DecodedText(nick).isUTF8 && (body.map { DecodedText($0).isUTF8 } ?? true)
        let message = IncomingMessage(
            session: id, room: room, kind: sender == nil ? .system : kind, sender: sender, body: body.map(names.text),
            remoteID: heard.remoteID.map(names.text),
            sourceTime: heard.sourceTime, receivedAt: now.at, flags: isUTF8 ? [] : .invalidUTF8,
            replyTo: heard.message.replyTo.map(names.text), raw: heard.raw)
        if isReplay(heard, in: room) { return keep(replayed: message) }
        if unheard.contains(room.key), sender?.isSelf != true { hearsAgain(room, heard) }
        endBareReplay(of: room)
        if hasHistory, message.remoteID == nil, let point = HistoryPoint(heard.message),
            history.note(heard: point, in: room.key)
        {
            return
        }
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
