import Bytes

/// The reason why a text is not a packet.
struct MalformedError: Error {
    let reason: MalformedReason
}

extension SocketPacket {
    /// Reads `<type>[<attachments>-][<namespace>,][<id>][JSON]`. Returns the number of attachments, which follow in
    /// later messages.
    static func decode(
        text: [UInt8], limits: WireLimits
    ) throws(MalformedError) -> (packet: SocketPacket, attachments: Int) {
        var rest = text[...]
        let (kind, isBinary) = try takeType(&rest)
        let attachments = isBinary ? try takeAttachments(&rest, limits) : 0
        let namespace = try takeNamespace(&rest)
        let id = try takeNumber(&rest)
        let packet = SocketPacket(kind, namespace, id: id, payload: Array(rest.trimmed))
        guard packet.hasPossiblePayload else { throw MalformedError(reason: .invalidPayload) }
        return (packet, attachments)
    }

    private static func takeType(_ rest: inout ArraySlice<UInt8>) throws(MalformedError) -> (Kind, isBinary: Bool) {
        guard let type = rest.popFirst() else { throw MalformedError(reason: .empty) }
        return switch type {
        case UInt8(ascii: "0"): (.connect, false)
        case UInt8(ascii: "1"): (.disconnect, false)
        case UInt8(ascii: "2"): (.event, false)
        case UInt8(ascii: "3"): (.ack, false)
        case UInt8(ascii: "4"): (.connectError, false)
        case UInt8(ascii: "5"): (.event, true)
        case UInt8(ascii: "6"): (.ack, true)
        default: throw MalformedError(reason: .unknownType)
        }
    }

    private static func takeAttachments(
        _ rest: inout ArraySlice<UInt8>, _ limits: WireLimits
    ) throws(MalformedError) -> Int {
        guard let count = try takeNumber(&rest), rest.popFirst() == Byte.dash else {
            throw MalformedError(reason: .invalidNumber)
        }
        guard count <= UInt64(max(0, limits.attachments)) else { throw MalformedError(reason: .tooManyAttachments) }
        return Int(count)
    }

    /// Takes the namespace; `/` when there is none. At the end of the text its comma may be missing.
    private static func takeNamespace(_ rest: inout ArraySlice<UInt8>) throws(MalformedError) -> String {
        guard rest.first == Byte.slash else { return "/" }
        let end = rest.firstIndex(of: Byte.comma) ?? rest.endIndex
        guard let name = String(validating: rest[..<end], as: UTF8.self) else {
            throw MalformedError(reason: .invalidUTF8)
        }
        rest = rest[end...].dropFirst()
        return name
    }

    private static func takeNumber(_ rest: inout ArraySlice<UInt8>) throws(MalformedError) -> UInt64? {
        let digits = rest.prefix(while: Byte.isDigit)
        guard !digits.isEmpty else { return nil }
        guard let number = UInt64(String(decoding: digits, as: UTF8.self)) else {
            throw MalformedError(reason: .invalidNumber)
        }
        rest = rest[digits.endIndex...]
        return number
    }

    /// True if the payload may be valid, by its first byte. Its decoder validates the rest. A number would be the id,
    /// and a `/` the namespace.
    private var hasPossiblePayload: Bool {
        switch kind {
        case .event: SocketEvent.parts(of: payload) != nil
        case .ack: payload.first == Byte.listStart && id != nil
        case .connect, .disconnect, .connectError: payload.first.map { !Byte.isDigit($0) && $0 != Byte.slash } ?? true
        }
    }
}
