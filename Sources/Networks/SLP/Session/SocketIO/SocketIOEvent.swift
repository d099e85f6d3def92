package import ChatModel
package import SLPWire

/// An event of a Socket.IO connection.
package struct SocketIOEvent: Sendable, Hashable {
    /// A packet from the server.
    package enum Content: Sendable, Hashable {
        /// The namespace is granted. A server may send events of the namespace before that.
        case connected(namespace: String)
        /// The namespace is not granted, for the server's reason, which may be empty.
        case refused(namespace: String, reason: String)
        /// An event of a namespace; `attachments` has its binary parts in order.
        case event(namespace: String, SocketEvent, attachments: [[UInt8]])
        /// The server has ended the namespace; others continue.
        case disconnected(namespace: String)
        /// A packet that is invalid or was not requested. The caller should keep its bytes.
        case unreadable([UInt8], MalformedReason)
        /// A sign of life without other content.
        case signOfLife
    }

    package var content: Content
    /// The clocks at the time of the read. For a poll, the clocks at the beginning of its answer, because the server
    /// sent everything in the answer by then. So it is never later than the last time when the server was known to be
    /// connected.
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
