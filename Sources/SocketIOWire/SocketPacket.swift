import Bytes

/// A packet of Socket.IO 5, whole with its attachments.
package struct SocketPacket: Sendable, Hashable {
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// Asks for a namespace; of a server: it is granted.
        case connect
        case disconnect
        case event
        case ack
        /// The namespace is refused.
        case connectError
    }

    package var kind: Kind
    /// With its `/`; the main one is `/`.
    package var namespace: String
    /// What an acknowledgement is asked for by, or given for.
    package var id: UInt64?
    /// JSON as it was sent, not looked into but for what ``SocketEvent`` and ``refusal`` do; empty where there is none.
    package var payload: [UInt8]
    /// What stands for `{"_placeholder":true,"num":0}` in the payload, by number.
    package var attachments: [[UInt8]]

    package init(
        _ kind: Kind, _ namespace: String = "/", id: UInt64? = nil, payload: [UInt8] = [], attachments: [[UInt8]] = []
    ) {
        self.kind = kind
        self.namespace = namespace
        self.id = id
        self.payload = payload
        self.attachments = attachments
    }

    /// The packets that carry it: a message, and its attachments. Nothing is checked: ``isNamespace(_:)`` says what may
    /// be asked for.
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

    /// Whether a namespace can be asked for by this name: it begins with `/`, has at most 1,024 bytes, and none of what
    /// ends it in a packet (`,`), in a body (U+001E) or to a server (`?`).
    package static func isNamespace(_ name: String) -> Bool {
        let ending: [UInt8] = [Byte.comma, Byte.recordSeparator, UInt8(ascii: "?")]
        return name.utf8.first == Byte.slash && name.utf8.count <= 1024 && !name.utf8.contains(where: ending.contains)
    }
}
