/// A packet of Engine.IO 4, the layer below Socket.IO.
package enum EnginePacket: Sendable, Hashable {
    /// Begins the session; ``Handshake`` reads its JSON.
    case open([UInt8])
    case close
    /// Requests a pong: from a server to check the connection, from a client with ``probe`` to test the WebSocket.
    case ping([UInt8])
    /// Answers a ping, with the same data.
    case pong([UInt8])
    /// Text: a Socket.IO packet.
    case message([UInt8])
    /// Bytes: an attachment of the preceding Socket.IO packet.
    case binary([UInt8])
    /// Switches the client's transport to the WebSocket.
    case upgrade
    /// Ends a poll without data.
    case noop

    /// The data of a ping that tests the WebSocket.
    package static let probe = Array("probe".utf8)

    /// Decodes a text message of a WebSocket. Binary messages are ``binary(_:)``.
    package static func decode(text bytes: consuming [UInt8]) -> Decoded<EnginePacket> {
        guard let type = bytes.first else { return .malformed(bytes, .empty) }
        guard (UInt8(ascii: "0")...UInt8(ascii: "6")).contains(type) else { return .malformed(bytes, .unknownType) }
        // In place, because a message may have megabytes.
        bytes.removeFirst()
        return switch type {
        case UInt8(ascii: "0"): .packet(.open(bytes))
        case UInt8(ascii: "1"): .packet(.close)
        case UInt8(ascii: "2"): .packet(.ping(bytes))
        case UInt8(ascii: "3"): .packet(.pong(bytes))
        case UInt8(ascii: "4"): .packet(.message(bytes))
        case UInt8(ascii: "5"): .packet(.upgrade)
        default: .packet(.noop)
        }
    }

    /// The content of a WebSocket message: text, or the bytes of `binary`.
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

    /// True if the packet must be sent as a binary message.
    package var isBinary: Bool {
        if case .binary = self { true } else { false }
    }
}
