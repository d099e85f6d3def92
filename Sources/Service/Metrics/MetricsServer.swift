package import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Rendering
import ServiceLifecycle
package import Settings
import Synchronization

/// Serves metrics at `/metrics`, to this machine only. Each connection gets one answer.
package struct MetricsServer: Service {
    private let channel: any Channel
    /// The port: the requested one, or the free one that the system chose.
    package let port: Int

    /// Binds the address, and serves it from now on.
    ///
    /// - Parameter metrics: Returns the metrics' text, in detail if the request asks for it.
    /// - Throws: ``ServiceError`` if the address can't be bound.
    package init(
        address: MetricsAddress, limits: MetricsLimits = MetricsLimits(), logger: Logger,
        metrics: @escaping @Sendable (_ isDetailed: Bool) async -> String
    ) async throws {
        let connections = ConnectionCount(limit: limits.connections)
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // Lets a restarted listener bind the port while connections of the last one are in TIME_WAIT.
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try connections.add(channel)
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ByteLimit(limits.bytes))
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(MetricsHandler(time: limits.time, metrics: metrics))
                }
            }
        do {
            channel = try await bootstrap.bind(host: address.host, port: address.port).get()
        } catch {
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            throw ServiceError(
                .address, "can't serve metrics at \(address.host) port \(address.port): \(reason)",
                hint: "choose another port with --metrics (another listener may use this one)")
        }
        port = channel.localAddress?.port ?? address.port
        logger.info("metrics ready", metadata: ["address": "\(address.host)", "port": "\(port)"])
    }

    /// Runs until graceful shutdown.
    package func run() async throws {
        try? await gracefulShutdown()
        try? await channel.close()
    }
}

/// Refuses connections above a limit.
private final class ConnectionCount: Sendable {
    private let limit: Int
    private let open = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// - Throws: An error if there are too many connections, which closes the channel.
    func add(_ channel: any Channel) throws {
        let isTaken = open.withLock { open in
            guard open < limit else { return false }
            open += 1
            return true
        }
        guard isTaken else { throw ChannelError.ioOnClosedChannel }
        channel.closeFuture.whenComplete { _ in self.open.withLock { $0 -= 1 } }
    }
}

/// Closes a connection that sends more than one request.
private final class ByteLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var rest: Int

    init(_ limit: Int) {
        rest = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        rest -= unwrapInboundIn(data).readableBytes
        if rest < 0 {
            context.close(promise: nil)
        } else {
            context.fireChannelRead(data)
        }
    }
}
