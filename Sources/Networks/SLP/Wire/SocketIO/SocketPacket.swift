import Bytes

/// A packet of Socket.IO 5, whole with its attachments.
package struct SocketPacket: Sendable, Hashable {
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// Requests a namespace; from a server, grants it.
        case connect
        case disconnect
        case event
        case ack
        /// Refuses a namespace.
        case connectError
    }

    package var kind: Kind
    /// The namespace, with its `/`; the main one is `/`.
    package var namespace: String
    /// The id of an event that requests an acknowledgement, or of the acknowledgement; nil for other packets.
    package var id: UInt64?
    /// The JSON as it was sent, mostly unvalidated; empty if there is none.
    package var payload: [UInt8]
    /// The binary values for the placeholders `{"_placeholder":true,"num":0}` in the payload, by number.
    package var attachments: [[UInt8]]

    package init(
        _ kind: Kind, _ namespace: String = "/", id: UInt64? = nil, payload: [UInt8] = [], attachments: [[UInt8]] = []
    ) {
        (self.kind, self.namespace, self.id, self.payload) = (kind, namespace, id, payload)
        self.attachments = attachments
    }

    /// The packets that carry this one: a message and its attachments. Nothing is validated; ``isNamespace(_:)`` checks
    /// a namespace.
    package var encoded: [EnginePacket] {
        var text = [typeCode]
        if isBinary { text += Array("\(attachments.count)-".utf8) }
        if namespace != "/" { text += Array(namespace.utf8) + [Byte.comma] }
        if let id { text += Array("\(id)".utf8) }
        return [.message(text + payload)] + attachments.map { .binary($0) }
    }

    private var isBinary: Bool {
        !attachments.isEmpty && (kind == .event || kind == .ack)
    }

    private var typeCode: UInt8 {
        switch kind {
        case .connect: Byte.zero
        case .disconnect: Byte.zero + 1
        case .event: Byte.zero + (isBinary ? 5 : 2)
        case .ack: Byte.zero + (isBinary ? 6 : 3)
        case .connectError: Byte.zero + 4
        }
    }

    /// Returns true if a namespace's name can be sent: it begins with `/`, has at most 1,024 bytes, and lacks the
    /// characters that end it in a packet (`,`), in a body (U+001E) or for a server (`?`).
    package static func isNamespace(_ name: String) -> Bool {
        let ending: [UInt8] = [Byte.comma, Byte.recordSeparator, UInt8(ascii: "?")]
        return name.utf8.first == Byte.slash && name.utf8.count <= 1024 && !name.utf8.contains(where: ending.contains)
    }
}
