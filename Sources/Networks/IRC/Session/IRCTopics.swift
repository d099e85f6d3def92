import Bytes
import ChatModel
import IRCWire

/// Reports the topics that stand when the account joins rooms.
struct IRCTopics: Sendable {
    /// The keys of joined rooms whose list of names is not complete and whose topic was not received.
    private var awaited: Set<String> = []
    /// A topic (332) until the next line, which may say who set it (333); or an empty one since the end of the names, which
    /// a topic in the next line replaces.
    private var pending: IncomingMessage?

    mutating func joined(_ room: String) { awaited.insert(room) }

    mutating func left(_ room: String) { awaited.remove(room) }

    /// Notes that the room's topic was received: the end of the names does not show that there is none.
    mutating func changed(_ room: String) { awaited.remove(room) }

    /// Handles the topic of a room that we are in: none (331), its text (332), and who set it and when (333).
    mutating func receiveStanding(_ event: IRCEvent, _ presence: IRCPresence, _ step: inout IRCStep) {
        let (message, name) = (event.message, event.message.param(1))
        guard presence.membership.isJoined(name) else { return reportPending(presence, &step) }
        let room = presence.names.channel(name)
        if message.verb == "333" {
            return reportPending(setBy: pending?.room.key == room.key ? event : nil, presence, &step)
        }
        if pending?.room.key != room.key { reportPending(presence, &step) }
        changed(room.key)
        pending = topic(message.verb == "332" ? message.param(2) : [], of: room, event.raw, presence, at: step.at)
    }

    /// Handles the end of a room's names, which servers send after the topic (RFC 2812 §3.2.1). Without a topic since
    /// our join, none stands, unless the next line has it.
    mutating func receiveEndOfNames(_ message: IRCMessage, _ presence: IRCPresence, at time: Timestamp) {
        let room = presence.names.channel(message.param(1))
        guard awaited.remove(room.key) != nil else { return }
        pending = topic([], of: room, nil, presence, at: time)
    }

    private func topic(
        _ text: [UInt8], of room: RoomReference, _ raw: [UInt8]?, _ presence: IRCPresence, at time: Timestamp
    ) -> IncomingMessage {
        IncomingMessage(
            session: presence.id, room: room, kind: .topic, sender: nil, body: presence.names.text(text),
            receivedAt: time, flags: presence.names.isUTF8(text) ? [] : .invalidUTF8, raw: raw)
    }

    /// Reports the topic that came last, if nothing reported it yet.
    ///
    /// - Parameter origin: The line `333 me #room nick!user@host 1700000000`, with the Unix time in seconds; servers also
    ///   send the nick alone.
    mutating func reportPending(setBy origin: IRCEvent? = nil, _ presence: IRCPresence, _ step: inout IRCStep) {
        guard var message = pending.take() else { return }
        var since: Timestamp?
        if let origin {
            let nick = IRCSource(origin.message.param(2)).nick
            if !nick.isEmpty {
                message.sender = presence.names.user(nick, isSelf: presence.membership.isOwn(nick))
                if !presence.names.isUTF8(nick) { message.flags.insert(.invalidUTF8) }
            }
            if let raw = origin.raw { message.raw? += [Byte.lineFeed] + raw }
            let seconds = Int64(String(decoding: origin.message.param(3), as: UTF8.self))
            let microseconds = seconds?.multipliedReportingOverflow(by: 1_000_000)
            since = microseconds.flatMap { $0.overflow ? nil : Timestamp(microseconds: $0.partialValue) }
        }
        step.events.append(.message(message, .standing(since: since)))
    }
}
