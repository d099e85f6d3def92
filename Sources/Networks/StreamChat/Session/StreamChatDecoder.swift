package import ChatModel
import Sessions
package import StreamChatWire

/// Turns a session's bytes into events, live or from the journal.
struct StreamChatDecoder: Sendable {
    private let session: SessionID
    private let room: RoomReference
    private let nick: String
    private var parser: StreamChatParser
    private var parsedUpTo: Int

    /// - Parameters:
    ///   - names: The names that were seen in the room before. Our own is added.
    ///   - offset: The position of the next byte in the session.
    init(session: SessionID, configuration: StreamChatConfiguration, names: [String], offset: Int64 = 0) {
        self.session = session
        room = configuration.roomReference
        nick = configuration.nick
        parsedUpTo = Int(offset)
        var limits = UnitFramer.Limits()
        limits.continuation = configuration.continuation.microseconds
        limits.unitBytes = configuration.unitCap
        parser = StreamChatParser(
            configuration.framing, known: KnownNames(names.reversed() + [nick]), limits: limits, offset: Int(offset))
    }

    /// Returns the messages that are complete, and after them the position up to which the stream is parsed.
    mutating func decode(_ bytes: [UInt8], at time: Timestamp, filledBuffer: Bool) -> [ChatEvent] {
        events(parser.parseBytes(bytes, at: time.microseconds, filledBuffer: filledBuffer))
    }

    /// The time for ``deadlinePassed()`` if no read comes before it; nil if only bytes can end a message.
    var deadline: Timestamp? {
        parser.deadline.map(Timestamp.init(microseconds:))
    }

    mutating func deadlinePassed() -> [ChatEvent] {
        parser.deadline.map { events(parser.deadlinePassed(at: $0)) } ?? []
    }

    /// Returns the rest as a message, because no more bytes follow.
    mutating func finish() -> [ChatEvent] {
        events(parser.finish())
    }

    private mutating func events(_ units: [ParsedUnit]) -> [ChatEvent] {
        let messages = units.map { ChatEvent.message(message($0)) }
        guard parser.parsed > parsedUpTo else { return messages }
        parsedUpTo = parser.parsed
        return messages + [.parsed(session: session, upTo: Int64(parsedUpTo))]
    }

    private func message(_ parsed: ParsedUnit) -> IncomingMessage {
        let (kind, name, body) = parsed.content.commonFields
        return IncomingMessage(
            session: session, room: room, kind: kind,
            sender: name.map { UserReference(key: $0, name: $0, isSelf: $0 == nick) }, body: body,
            // The id is the place in the stream, so that parsing the journal again stores no duplicates.
            remoteID: "\(session.rawValue):\(parsed.unit.offset)",
            receivedAt: Timestamp(microseconds: parsed.unit.time), flags: MessageFlags(parsed.flags))
    }
}

extension UnitContent {
    /// The content in terms that all networks share, with a name for all kinds except `system`.
    package var commonFields: (kind: MessageKind, name: String?, body: String?) {
        switch self {
        case .message(let name, let text): (.message, name, text)
        case .joined(let name): (.join, name, nil)
        case .left(let name): (.leave, name, nil)
        case .system(let text): (.system, nil, text)
        }
    }
}

extension MessageFlags {
    /// Creates the flags of a parsed message.
    package init(_ flags: UnitFlags) {
        self = []
        if flags.contains(.invalidUTF8) { insert(.invalidUTF8) }
        if flags.contains(.oversize) { insert(.oversize) }
        if flags.contains(.maybeCoalesced) { insert(.maybeCoalesced) }
    }
}
