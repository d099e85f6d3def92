import AsyncHTTPClient
import ChatModel
package import NIOCore
import SocketIOWire

/// Connects to a Socket.IO server: by long polling first, then over a WebSocket where the server offers one; over one
/// of them alone where the server lacks the other.
package struct SocketIOConnector: Sendable {
    private let configuration: SocketIOConfiguration
    private let group: any EventLoopGroup
    private let clock: any Clock<Duration>
    private let readClocks: @Sendable () -> ClockReading
    private let traffic: Traffic?

    /// - Parameters:
    ///   - clock: Measures waits; monotonic, so not the wall clock.
    ///   - readClocks: Gives the times of receipt.
    ///   - traffic: Counts the bytes received.
    package init(
        _ configuration: SocketIOConfiguration, group: any EventLoopGroup,
        clock: any Clock<Duration> = ContinuousClock(), readClocks: @escaping @Sendable () -> ClockReading = { .now() },
        traffic: Traffic? = nil
    ) {
        (self.configuration, self.group, self.clock, self.readClocks) = (configuration, group, clock, readClocks)
        self.traffic = traffic
    }

    /// Connects, passes the connection to `body`, closes the session when that returns, and has closed everything when
    /// this returns. When the task is cancelled, everything is closed at once.
    ///
    /// - Throws: ``ConnectionError`` when there is no connection. `body` itself sees what happens to one later.
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
            // Servers differ in what an upgrade that failed leaves of a session (python-engineio answers its polls with
            // nothing for ever, or has lost packets to the attempt): a new one has seen none.
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

    /// - Parameter opening: The session to upgrade, which nobody polls: so nothing has to be waited for, and nothing is
    ///   lost between the transports. Nil opens a session.
    /// - Returns: Nil where no WebSocket can be had.
    private func overWebSocket<Outcome: Sendable>(
        _ opening: EngineOpening?, _ body: @escaping @Sendable (SocketIOConnection) async -> Outcome
    ) async throws -> Outcome? {
        let dialer = WebSocketDialer(
            dialer: Dialer(group: group), configuration: configuration, readClocks: readClocks, traffic: traffic)
        let opened: WebSocketDialer.Opened?
        do {
            opened = try await within(
                configuration.openTimeout, of: clock, else: ConnectionError.late(configuration, "a WebSocket")
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
    /// - Returns: Nil where the upgrade fails.
    private func establish(
        _ opened: WebSocketDialer.Opened, _ opening: EngineOpening?, _ transport: WebSocketTransport
    ) async throws -> EngineOpening? {
        do {
            return try await within(
                configuration.openTimeout, of: clock, else: ConnectionError.late(configuration, "a WebSocket")
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
