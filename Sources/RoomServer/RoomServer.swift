import Arrivals
import Glibc
package import Logging
import NIOCore
import NIOPosix
import StreamChatWire

/// A StreamChat server with its one room: each message goes to all clients, in one order.
///
/// For people to try, and for tests. No client can stop it or make it exceed its limits. It has no login, so it listens
/// on loopback by default.
package struct RoomServer: Sendable {
    package let configuration: RoomServerConfiguration
    private let logger: Logger

    package init(_ configuration: RoomServerConfiguration = .init(), logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Serves until the task is cancelled, and closes every connection after that.
    ///
    /// - Parameter onReady: Called once, with the port, when clients can connect.
    /// - Throws: ``RoomServerError`` if it can't listen, or for the framing `end`.
    package func run(onReady: @Sendable (_ port: Int) -> Void = { _ in }) async throws {
        guard configuration.framing != .end else {
            throw RoomServerError(
                code: .unsupportedFraming, detail: "the room server's framing is chunk, lf or nul, not end")
        }
        let arrivals = Arrivals()
        let listener = try await listen(arrivals)
        let room = ServedRoom(configuration)
        var failure: (any Error)?
        do {
            try await listener.executeThenClose { connections in
                onReady(listener.channel.localAddress?.port ?? configuration.port)
                try await serve(connections, arrivals, room)
            }
        } catch {
            failure = error
        }
        await arrivals.close()
        if let failure, !Task.isCancelled { throw failure }
        logger.debug("room server stopped")
    }

    /// Serves each client in a child task; cancelling this task cancels all of them.
    private func serve(
        _ connections: NIOAsyncChannelInboundStream<RoomClient.Connection>, _ arrivals: Arrivals, _ room: ServedRoom
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            var id = 0
            for try await connection in connections {
                id += 1
                let client = RoomClient(id: id, room: room, configuration: configuration, logger: logger)
                arrivals.take(connection)
                let isAdmitted = room.admit()
                group.addTask {
                    defer { room.release() }
                    if isAdmitted { await client.serve(connection) } else { await client.refuse(connection) }
                }
            }
        }
    }

    /// Returns the system's reason, without NIO's additions.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case is SocketAddressError.UnknownHost: "no such host"
        default: "\(error)"
        }
    }

    private func listen(_ arrivals: Arrivals) async throws -> NIOAsyncChannel<RoomClient.Connection, Never> {
        // In revision 2021-04 one read is one frame, so the buffer has room for the longest frame. NIO's default buffer
        // is smaller at first.
        let buffer = FixedSizeRecvByteBufferAllocator(capacity: max(4096, configuration.limits.frameBytes + 16))
        do {
            return try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelOption(.backlog, value: 256)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(.recvAllocator, value: buffer)
                .bind(host: configuration.host, port: configuration.port) { channel in
                    channel.eventLoop.makeCompletedFuture { try arrivals.wrap(channel) }
                }
        } catch {
            let place = "\(configuration.host):\(configuration.port)"
            throw RoomServerError(code: .cannotListen, detail: "can't listen on \(place): \(Self.reason(error))")
        }
    }
}
