import AsyncAlgorithms
package import SocketIOWire

/// A session with a Socket.IO server, open while the `body` of ``SocketIOConnector/withConnection(_:)`` runs.
package struct SocketIOConnection: Sendable {
    /// The way in which packets are carried.
    package enum Transport: Sendable {
        case polling, webSocket
    }

    let link: EngineLink
    let peer: String
    /// The transport that carries it.
    package let transport: Transport
    /// The server's data from the opening of the session.
    package let handshake: Handshake

    /// Passes every event in order to `body` until that returns a value, which is returned here; nil when the server
    /// has closed the session, and when the task is cancelled.
    ///
    /// Decodes nothing more while `body` waits, and reads no more than a fixed amount; pings wait, too. May be called
    /// once.
    ///
    /// - Throws: ``ConnectionError`` when the session breaks, or the server is silent (`timedOut`); earlier events have
    ///   been passed on by then.
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
    /// - Returns: False when `namespace` can't be one (``SocketPacket/isNamespace(_:)``), or when 10,000 packets wait
    ///   to be sent.
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
