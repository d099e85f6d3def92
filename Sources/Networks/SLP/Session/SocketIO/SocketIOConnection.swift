import AsyncAlgorithms
package import SLPWire
package import Sessions

/// A session with a Socket.IO server, open while the `body` of ``SocketIOConnector/withConnection(_:)`` runs.
package struct SocketIOConnection: Sendable {
    /// The transport of packets.
    package enum Transport: Sendable {
        case polling, webSocket
    }

    let link: EngineLink
    let peer: String
    /// The transport of this session.
    package let transport: Transport
    /// The server's data from the opening of the session.
    package let handshake: Handshake

    /// Calls `body` with every event in order until it returns a value, and returns that value; nil if the server has
    /// closed the session, or if the task is cancelled.
    ///
    /// Decodes nothing while `body` waits, and reads no more than a fixed amount; pings wait as well. May be called
    /// once.
    ///
    /// - Throws: ``ConnectionError`` if the session breaks, or the server is silent (`timedOut`). `body` has had all
    ///   earlier events by then.
    package func forEachEvent<Outcome: Sendable>(
        _ body: (SocketIOEvent) async -> Outcome?
    ) async throws(ConnectionError) -> Outcome? {
        do {
            for try await event in link.events {
                if let outcome = await body(event) { return outcome }
            }
            return nil
        } catch {
            throw ConnectionError(error, peer: peer)
        }
    }

    /// Requests a namespace; the answer is an event. Sent soon, in the order of the calls.
    ///
    /// - Returns: False if `namespace` is not valid (``SocketPacket/isNamespace(_:)``), or if 10,000 packets wait to be
    ///   sent.
    package func connect(_ namespace: String) -> Bool {
        SocketPacket.isNamespace(namespace) && link.outbox.push(SocketPacket(.connect, namespace).encoded)
    }

    /// Leaves a namespace. The server does not answer, and its events may still come for a while.
    ///
    /// - Returns: False in the same cases as for ``connect(_:)``.
    package func disconnect(_ namespace: String) -> Bool {
        SocketPacket.isNamespace(namespace) && link.outbox.push(SocketPacket(.disconnect, namespace).encoded)
    }
}
