import AsyncAlgorithms
package import SocketIOWire

/// A session with a Socket.IO server, open while the `body` of ``SocketIOConnector/withConnection(_:)`` runs.
package struct SocketIOConnection: Sendable {
    package enum Transport: Sendable {
        case polling, webSocket
    }

    let link: EngineLink
    let peer: String
    /// What carries it.
    package let transport: Transport
    /// What the server said when it opened the session.
    package let handshake: Handshake

    /// Hands over one event after the other, in order, until `body` returns something, which is returned here; nil when
    /// the server has ended the session in good order, and when the task is cancelled.
    ///
    /// While `body` waits, nothing more is decoded, and no more than a fixed amount is read; pings wait with the rest. One
    /// caller only, once.
    ///
    /// - Throws: When the session breaks, or the server is silent (`timedOut`); what came before has been handed over.
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

    /// Asks for a namespace; the answer is an event. Sent soon, in the order of the calls.
    ///
    /// - Returns: False when it is none (``SocketPacket/isNamespace(_:)``), or when 10,000 packets wait to be sent.
    package func connect(_ namespace: String) -> Bool {
        SocketPacket.isNamespace(namespace) && link.outbox.push(SocketPacket(.connect, namespace).encoded)
    }

    /// Leaves a namespace, which nobody answers; events of it may still come for a while.
    ///
    /// - Returns: As ``connect(_:)`` does.
    package func disconnect(_ namespace: String) -> Bool {
        SocketPacket.isNamespace(namespace) && link.outbox.push(SocketPacket(.disconnect, namespace).encoded)
    }
}
