package import ChatModel
package import StreamChatWire

/// From a session's bytes to the events that they mean, live and from the journal alike.
struct StreamChatDecoder: Sendable {
    private let session: SessionID
    private let room: RoomReference
    private let nick: String
    private var parser: StreamChatParser
    private var vouchedFor: Int

    /// - Parameters:
    ///   - names: Seen in the room before; our own is added.
    ///   - offset: The place in the session of the first byte to come.
    init(session: SessionID, configuration: StreamChatConfiguration, names: [String], offset: Int64 = 0) {
        self.session = session
        room = configuration.roomReference
        nick = configuration.nick
        vouchedFor = Int(offset)
        var limits = UnitFramer.Limits()
        limits.continuation = configuration.continuation.microseconds
        limits.unitBytes = configuration.unitCap
        parser = StreamChatParser(
            configuration.framing, known: KnownNames(names.reversed() + [nick]), limits: limits, offset: Int(offset))
    }

    /// Messages that are complete, and how far the stream is parsed after them.
    mutating func read(_ bytes: [UInt8], at time: Timestamp, filledBuffer: Bool) -> [ChatEvent] {
        events(parser.read(bytes, at: time.microseconds, filledBuffer: filledBuffer))
    }

    /// When ``deadlinePassed()`` is due unless something is read before; nil where only bytes can end a message.
    var deadline: Timestamp? {
        parser.deadline.map(Timestamp.init(microseconds:))
    }

    mutating func deadlinePassed() -> [ChatEvent] {
        parser.deadline.map { events(parser.deadlinePassed(at: $0)) } ?? []
    }

    /// No more bytes follow: what is left is a message.
    mutating func finish() -> [ChatEvent] {
        events(parser.finish())
    }

    private mutating func events(_ units: [ParsedUnit]) -> [ChatEvent] {
        let messages = units.map { ChatEvent.message(message($0)) }
        guard parser.parsed > vouchedFor else { return messages }
        vouchedFor = parser.parsed
        return messages + [.parsed(session: session, upTo: Int64(vouchedFor))]
    }

    private func message(_ parsed: ParsedUnit) -> IncomingMessage {
        let (kind, name, body) = parsed.content.saying
        return IncomingMessage(
            session: session, room: room, kind: kind,
            sender: name.map { UserReference(key: $0, name: $0, isSelf: $0 == nick) }, body: body,
            // Its place in the stream, so that parsing the journal again doubles nothing.
            remoteID: "\(session.rawValue):\(parsed.unit.offset)",
            receivedAt: Timestamp(microseconds: parsed.unit.time), flags: MessageFlags(parsed.flags))
    }
}

extension UnitContent {
    /// The same in the words that all networks share; a name for all but `system`.
    package var saying: (kind: MessageKind, name: String?, body: String?) {
        switch self {
        case .message(let name, let text): (.message, name, text)
        case .joined(let name): (.join, name, nil)
        case .left(let name): (.leave, name, nil)
        case .system(let text): (.system, nil, text)
        }
    }
}

extension MessageFlags {
    package init(_ flags: UnitFlags) {
        self = []
        if flags.contains(.invalidUTF8) { insert(.invalidUTF8) }
        if flags.contains(.oversize) { insert(.oversize) }
        if flags.contains(.maybeCoalesced) { insert(.maybeCoalesced) }
    }
}
