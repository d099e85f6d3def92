package import SocketIOWire

/// An event of a Socket.IO connection.
package struct SocketIOEvent: Sendable, Hashable {
    /// A packet from the server.
    package enum Content: Sendable, Hashable {
        /// The namespace is granted. A server may send events of it before.
        case connected(namespace: String)
        /// The namespace is not granted, for the server's reason, which may be empty.
        case refused(namespace: String, reason: String)
        /// An event of a namespace; `attachments` has its binary parts in order.
        case event(namespace: String, SocketEvent, attachments: [[UInt8]])
        /// The server has ended the namespace; others continue.
        case disconnected(namespace: String)
        /// Something that no client requested or understands, whose bytes are to be kept.
        case unreadable([UInt8], MalformedReason)
        /// A sign of life without other content.
        case alive
    }

    package var content: Content
    /// The clocks at the read, which comes before the event is passed on. For a poll, the clocks when its answer began,
    /// as everything in the answer was sent by then. So it is never later than the last time at which the server is
    /// known to have been there.
    package var at: ClockReading
}

extension SocketIOEvent.Content {
    /// Nil for an acknowledgement, which nothing requested.
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
