import Bytes
import ChatModel
import IRCWire

/// Reports the topics that stand when the account joins rooms.
extension IRCReceiver {
    /// Handles the topic of a room that we are in: none (331), its text (332), and who set it and when (333).
    mutating func receiveStandingTopic(_ event: IRCEvent) {
        let (message, name) = (event.message, event.message.param(1))
        guard presence.membership.isJoined(name) else { return reportPendingTopic() }
        let room = presence.names.channel(name)
        if message.verb == "333" {
            guard topics.pending?.room.key == room.key else { return reportPendingTopic() }
            return reportPendingTopic(setBy: event)
        }
        if topics.pending?.room.key != room.key { reportPendingTopic() }
        topics.changed(room.key)
        topics.pending = topic(message.verb == "332" ? message.param(2) : [], of: room, event.raw)
    }

    /// Handles the end of a room's names. Without a topic since our join, none stands, unless the next line has it.
    mutating func receiveEndOfTopics(_ message: IRCMessage) {
        let room = presence.names.channel(message.param(1))
        guard topics.endNames(of: room.key) else { return }
        topics.pending = topic([], of: room, nil)
    }

    private func topic(_ text: [UInt8], of room: RoomReference, _ raw: [UInt8]?) -> IncomingMessage {
        IncomingMessage(
            session: presence.id, room: room, kind: .topic, sender: nil, body: presence.names.text(text),
            receivedAt: step.at, flags: presence.names.isUTF8(text) ? [] : .invalidUTF8, raw: raw)
    }

    /// Reports the topic that came last, if nothing reported it yet.
    ///
    /// - Parameter origin: The line `333 me #room nick!user@host 1700000000`, with the Unix time in seconds; servers also
    ///   send the nick alone.
    mutating func reportPendingTopic(setBy origin: IRCEvent? = nil) {
        guard var message = topics.pending else { return }
        topics.pending = nil
        guard let origin else { return report(message, since: nil) }
        let nick = IRCSource(origin.message.param(2)).nick
        if !nick.isEmpty {
            message.sender = presence.names.user(nick, isSelf: presence.membership.isOwn(nick))
            if !presence.names.isUTF8(nick) { message.flags.insert(.invalidUTF8) }
        }
        if let raw = origin.raw { message.raw? += [Byte.lineFeed] + raw }
        let seconds = Int64(String(decoding: origin.message.param(3), as: UTF8.self))
        let microseconds = seconds?.multipliedReportingOverflow(by: 1_000_000)
        report(message, since: microseconds.flatMap { $0.overflow ? nil : Timestamp(microseconds: $0.partialValue) })
    }

    private mutating func report(_ topic: IncomingMessage, since: Timestamp?) {
        step.events.append(.message(topic, .standing(since: since)))
    }
}
