/// A packet of Engine.IO 4, the layer below Socket.IO.
package enum EnginePacket: Sendable, Hashable {
    /// The session begins; its JSON is read by ``Handshake``.
    case open([UInt8])
    case close
    /// Of a server in EIO 4; with ``probe`` of a client that tries the WebSocket.
    case ping([UInt8])
    /// The answer, with the same data.
    case pong([UInt8])
    /// Text, which is a Socket.IO packet.
    case message([UInt8])
    /// Bytes, which are an attachment of the Socket.IO packet before.
    case binary([UInt8])
    /// From here on the client's transport is the WebSocket.
    case upgrade
    /// Ends a poll that had nothing to bring.
    case noop

    package static let probe = Array("probe".utf8)

    /// A message of a WebSocket with text.
    package static func decode(text bytes: [UInt8]) -> Decoded<EnginePacket> {
        guard let type = bytes.first else { return .malformed(bytes, .empty) }
        let data = Array(bytes.dropFirst())
        return switch type {
        case UInt8(ascii: "0"): .packet(.open(data))
        case UInt8(ascii: "1"): .packet(.close)
        case UInt8(ascii: "2"): .packet(.ping(data))
        case UInt8(ascii: "3"): .packet(.pong(data))
        case UInt8(ascii: "4"): .packet(.message(data))
        case UInt8(ascii: "5"): .packet(.upgrade)
        case UInt8(ascii: "6"): .packet(.noop)
        default: .malformed(bytes, .unknownType)
        }
    }

    /// As a WebSocket's message has it: as text, but for `binary`, which stands as it is.
    package var encoded: [UInt8] {
        switch self {
        case .open(let data): [UInt8(ascii: "0")] + data
        case .close: [UInt8(ascii: "1")]
        case .ping(let data): [UInt8(ascii: "2")] + data
        case .pong(let data): [UInt8(ascii: "3")] + data
        case .message(let data): [UInt8(ascii: "4")] + data
        case .upgrade: [UInt8(ascii: "5")]
        case .noop: [UInt8(ascii: "6")]
        case .binary(let data): data
        }
    }

    package var isBinary: Bool {
        if case .binary = self { true } else { false }
    }
}
