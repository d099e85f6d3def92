package import Logging
import NIOCore
import NIOPosix
import StreamChatWire

/// A StreamChat server with its one room: what clients say is told to all of them, in one order.
///
/// For people to try and for tests to run against. No client can end it or make it keep more than its limits; there is no
/// login, so it listens on loopback unless told otherwise.
package struct RoomServer: Sendable {
    package let configuration: RoomServerConfiguration
    private let logger: Logger

    package init(_ configuration: RoomServerConfiguration = .init(), logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Serves until the task is cancelled, then closes every connection and returns.
    ///
    /// `onReady` is called once, with the port, when clients can connect. Throws ``RoomServerError`` when it can't listen.
    package func run(onReady: @Sendable (_ port: Int) -> Void = { _ in }) async throws {
        guard configuration.framing != .end else {
            throw RoomServerError(
                code: .unsupportedFraming, detail: "the room server's framing is chunk, lf or nul, not end")
        }
        let listener = try await listen()
        let room = Room(configuration)
        do {
            try await listener.executeThenClose { connections in
                onReady(listener.channel.localAddress?.port ?? configuration.port)
                try await serve(connections, room)
            }
        } catch  where Task.isCancelled {
            logger.debug("room server stopped")
        }
    }

    /// One child task a client; when this one is cancelled they all are.
    private func serve(_ connections: NIOAsyncChannelInboundStream<any Channel>, _ room: Room) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            var id = 0
            for try await connection in connections {
                id += 1
                let client = RoomClient(id: id, room: room, configuration: configuration, logger: logger)
                let isAdmitted = room.admit()
                group.addTask {
                    defer { room.release() }
                    guard let connection = await Self.wrap(connection) else { return }
                    if isAdmitted { await client.serve(connection) } else { await client.refuse(connection) }
                }
            }
        }
    }

    /// Nil when it was reset already.
    ///
    /// Only here, where it is surely taken: NIO ends the process for a wrapped channel that is dropped, as those are that
    /// wait to be accepted when the server stops.
    private static func wrap(_ channel: any Channel) async -> RoomClient.Connection? {
        let wrapped = channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let early = try pipeline.context(handlerType: EarlyReads.self)
            let connection = try RoomClient.Connection(wrappingChannelSynchronously: channel)
            pipeline.removeHandler(context: early, promise: nil)
            return connection
        }
        guard let connection = try? await wrapped.get() else { return nil }
        channel.setOption(.autoRead, value: true).whenFailure { _ in channel.close(promise: nil) }
        return connection
    }

    private func listen() async throws -> NIOAsyncChannel<any Channel, Never> {
        // A frame of 2021-04 is what one read brings, so the buffer holds the longest; NIO's own would begin smaller.
        let buffer = FixedSizeRecvByteBufferAllocator(capacity: max(4096, configuration.limits.frameBytes + 16))
        do {
            return try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelOption(.backlog, value: 256)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(.recvAllocator, value: buffer)
                .childChannelOption(.autoRead, value: false)
                // Else one that is closed before it is wrapped can't be wrapped, and what it said is lost.
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .bind(host: configuration.host, port: configuration.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(EarlyReads())
                        return channel
                    }
                }
        } catch {
            let place = "\(configuration.host):\(configuration.port)"
            throw RoomServerError(code: .cannotListen, detail: "cannot listen on \(place): \(error)")
        }
    }
}
