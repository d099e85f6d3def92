package import SocketIOWire

/// What a Socket.IO server said.
package struct SocketIOEvent: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// The namespace is granted. A server may send events of it before.
        case connected(namespace: String)
        /// The namespace is not granted; the server's reason, which may be empty.
        case refused(namespace: String, reason: String)
        case event(namespace: String, SocketEvent, attachments: [[UInt8]])
        /// The server has ended the namespace; the others go on.
        case disconnected(namespace: String)
        /// Something that no client asks for or understands, whose bytes are to be kept.
        case unreadable([UInt8], MalformedReason)
        /// A sign of life that says nothing else.
        case alive
    }

    package var content: Content
    /// The clock when it was read, which is before it is handed over; of a poll, when its answer began, as all of it was
    /// said by then. So no later than the server is known to have been there.
    package var at: ClockReading
}

extension SocketIOEvent.Content {
    /// Nil for what answers a question that was never asked.
    init?(_ packet: SocketPacket) {
        switch packet.kind {
        case .connect:
            self = .connected(namespace: packet.namespace)
        case .connectError:
            self = .refused(namespace: packet.namespace, reason: packet.refusal)
        case .disconnect:
            self = .disconnected(namespace: packet.namespace)
        case .event:
            guard let event = SocketEvent(payload: packet.payload) else { return nil }
            self = .event(namespace: packet.namespace, event, attachments: packet.attachments)
        case .ack:
            return nil
        }
    }
}
