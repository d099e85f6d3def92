import AsyncHTTPClient
package import ChatModel
package import NIOCore
import SLPWire
package import Sessions

/// Connects to a Socket.IO server: first by long polling, and after that over a WebSocket if the server offers one. If
/// the server has only one of the two, uses only that one.
package struct SocketIOConnector: Sendable {
    private let configuration: SocketIOConfiguration
    private let group: any EventLoopGroup
    private let clock: any Clock<Duration>
    private let readClocks: @Sendable () -> ClockReading
    private let traffic: Traffic?

    /// - Parameters:
    ///   - clock: The clock for waits: a monotonic one, not the wall clock.
    ///   - readClocks: Returns the clocks' readings for times of receipt.
    ///   - traffic: Counts the received bytes.
    package init(
        _ configuration: SocketIOConfiguration, group: any EventLoopGroup,
        clock: any Clock<Duration> = ContinuousClock(), readClocks: @escaping @Sendable () -> ClockReading = { .now() },
        traffic: Traffic? = nil
    ) {
        (self.configuration, self.group, self.clock, self.readClocks) = (configuration, group, clock, readClocks)
        self.traffic = traffic
    }

    /// Connects, calls `body` with the connection, and closes the session and its connections before this returns. If
    /// the task is cancelled, closes them at once.
    ///
    /// - Throws: ``ConnectionError`` if there is no connection. `body` handles later errors of the connection.
    package func withConnection<Outcome: Sendable>(
        _ body: @escaping @Sendable (SocketIOConnection) async -> Outcome
    ) async throws(ConnectionError) -> Outcome {
        do {
            let http = HTTPClient.Configuration(configuration.tls, host: configuration.host)
            return try await HTTPClient.scoped(group: group, configuration: http) { try await open($0, body) }
        } catch {
            throw ConnectionError(error, configuration)
        }
    }

    private func open<Outcome: Sendable>(
        _ client: HTTPClient, _ body: @escaping @Sendable (SocketIOConnection) async -> Outcome
    ) async throws -> Outcome {
        var polling = PollingTransport(
            client: client, configuration: configuration, clock: clock, readClocks: readClocks, traffic: traffic)
        guard var opening = try await polling.open() else {
            guard let outcome = try await overWebSocket(nil, body) else {
                throw ConnectionError.noTransport(configuration)
            }
            return outcome
        }
        if opening.handshake.upgrades.contains("websocket") {
            if let outcome = try await overWebSocket(opening, body) { return outcome }
            // Ends the session and opens a new one, because the state of a session after a failed upgrade differs
            // between servers (python-engineio answers its polls with nothing for ever, or has lost packets).
            try? await within(
                configuration.leaveTimeout, of: clock, else: ConnectionError.late(configuration, "leaving")
            ) {
                [polling] in try await polling.send([.close])
            }
            guard let again = try await polling.open() else { throw ConnectionError.noHandshake(configuration) }
            opening = again
        }
        return await run(polling, .polling, opening, body)
    }

    /// - Parameter opening: The session to upgrade; nil to open one. No poll of the session may be open, so that no
    ///   packet is lost between the transports.
    /// - Returns: Nil if no WebSocket is available.
    private func overWebSocket<Outcome: Sendable>(
        _ opening: EngineOpening?, _ body: @escaping @Sendable (SocketIOConnection) async -> Outcome
    ) async throws -> Outcome? {
        let dialer = WebSocketDialer(
            dialer: Dialer(group: group), configuration: configuration, readClocks: readClocks, traffic: traffic)
        let opened: WebSocketDialer.Opened?
        do {
            opened = try await within(
                configuration.openTimeout, of: clock, else: ConnectionError.late(configuration, "opening a WebSocket")
            ) {
                try await dialer.open(session: opening?.handshake.session)
            }
        } catch  where opening != nil && !Task.isCancelled {
            return nil
        }
        guard let opened else { return nil }
        return try await opened.channel.executeThenClose { inbound, outbound in
            let transport = WebSocketTransport(inbound: inbound, outbound: outbound)
            let established = try await establish(opened, opening, transport)
            guard let established else { return nil }
            return await run(transport, .webSocket, established, body)
        }
    }

    /// Probes the WebSocket and makes it the session's transport, or opens the session over it.
    ///
    /// - Returns: Nil if the upgrade fails.
    private func establish(
        _ opened: WebSocketDialer.Opened, _ opening: EngineOpening?, _ transport: WebSocketTransport
    ) async throws -> EngineOpening? {
        do {
            return try await within(
                configuration.openTimeout, of: clock, else: ConnectionError.late(configuration, "opening a WebSocket")
            ) {
                if opening != nil { try await transport.send([.ping(EnginePacket.probe)]) }
                let first = try await withTaskCancellationHandler {
                    try await opened.first.get()
                } onCancel: {
                    opened.channel.channel.close(promise: nil)
                }
                switch (first, opening) {
                case (.packet(.pong(EnginePacket.probe)), .some):
                    try await transport.send([.upgrade])
                    return opening
                case (.packet(.open(let data)), nil):
                    guard let handshake = Handshake(data, limits: configuration.limits) else {
                        throw ConnectionError.noHandshake(configuration)
                    }
                    return EngineOpening(handshake: handshake, at: readClocks())
                default:
                    throw ConnectionError.noHandshake(configuration)
                }
            }
        } catch  where opening != nil && !Task.isCancelled {
            return nil
        }
    }

    private func run<Outcome: Sendable>(
        _ transport: any EngineTransport, _ name: SocketIOConnection.Transport, _ opening: EngineOpening,
        _ body: @escaping @Sendable (SocketIOConnection) async -> Outcome
    ) async -> Outcome {
        let link = EngineLink(transport, opening: opening, configuration: configuration, clock: clock)
        let connection = SocketIOConnection(
            link: link, peer: configuration.peer, transport: name, handshake: opening.handshake)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await link.run() }
            let outcome = await body(connection)
            link.leave()
            group.addTask { try? await clock.sleep(for: configuration.leaveTimeout) }
            await group.next()
            group.cancelAll()
            return outcome
        }
    }
}
