import ChatModel
import Rendering
import Sessions
import Settings
import StreamChat
import StreamChatWire

/// Turns the reads of a connection into lines for people. `scrollback tail` shows a room the same way.
struct ChatReceiver: Sendable {
    private var parser: StreamChatParser
    private let name: String
    private var text: TextRenderer
    private(set) var echoes: Echoes
    /// The number of reads so far.
    private(set) var reads = 0
    /// The latest time so far. Clocks may be set back, but the parser's time must not go back.
    private var latest: Timestamp

    init(_ configuration: ChatConfiguration, now: Timestamp) {
        parser = StreamChatParser(configuration.framing, known: KnownNames([configuration.name]))
        text = TextRenderer(
            time: LocalTime(zone: configuration.zone), style: configuration.style, now: now,
            options: TextRenderer.Options(unfolds: true), width: configuration.width)
        (name, echoes) = (configuration.name, Echoes(name: configuration.name))
        latest = now
    }

    /// Returns the text of the messages that these bytes complete.
    mutating func receive(_ received: Received) -> String {
        reads += 1
        latest = max(latest, received.at.wall)
        return show(parser.parseBytes(received.bytes, at: latest.microseconds, filledBuffer: received.filledBuffer))
    }

    /// The time for ``passed(_:readsTaken:)`` if no read comes before it; nil if only bytes can end a message.
    var deadline: Timestamp? {
        parser.deadline.map(Timestamp.init(microseconds:))
    }

    /// Ends the message whose deadline has passed. Does nothing when a read has moved the deadline or is about to be
    /// handed in.
    mutating func deadlinePassed(_ deadline: Timestamp, readsTaken: Int) -> String {
        guard readsTaken == reads, deadline == self.deadline else { return "" }
        return show(parser.deadlinePassed(at: deadline.microseconds))
    }

    /// Ends the connection. The remaining bytes are a message.
    mutating func finish() -> String {
        show(parser.finish())
    }

    mutating func sent(_ text: String) -> Echoes.Waiting {
        echoes.sent(text)
    }

    private mutating func show(_ units: [ParsedUnit]) -> String {
        for unit in units { echoes.received(unit) }
        return text.render(units.map(message))
    }

    private func message(_ parsed: ParsedUnit) -> Message {
        let (kind, name, body) = parsed.content.commonFields
        let time = Timestamp(microseconds: parsed.unit.time)
        // Nothing is stored, so the time serves as the id.
        return Message(
            id: MessageID(time), account: "", network: "streamchat", roomID: 0, room: "", kind: kind,
            sender: name.map { Message.Sender(id: 0, name: $0, isSelf: $0.utf8.elementsEqual(self.name.utf8)) },
            body: body, remoteID: nil,
            receivedAt: time, sourceTime: nil, flags: MessageFlags(parsed.flags))
    }
}
