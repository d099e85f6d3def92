package import ChatModel
import Glibc
package import NIOCore
import NIOPosix
import Synchronization

/// Connects over TCP, with what it takes to notice a peer that is gone.
package struct TCPConnector: Connector {
    /// The most that one read takes: as much as a message may have, so that few reads end inside one.
    package static let readSize = 64 * 1024
    /// Reads that may wait for their consumer before the socket is left alone: half a megabyte.
    private static let waitingReads = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
        lowWatermark: 2, highWatermark: 8)

    private let group: any EventLoopGroup
    private let keepalive: Keepalive
    private let connectTimeout: TimeAmount
    private let wallClock: @Sendable () -> Timestamp

    /// - Parameter connectTimeout: Seconds until an attempt is given up; 10 is a few lost SYNs.
    package init(
        group: any EventLoopGroup, keepalive: Keepalive = Keepalive(), connectTimeout: Int64 = 10,
        wallClock: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        self.group = group
        self.keepalive = keepalive
        self.connectTimeout = .seconds(connectTimeout)
        self.wallClock = wallClock
    }

    package func withConnection<Outcome: Sendable>(
        host: String, port: Int, _ body: @Sendable (any Connection) async -> Outcome
    ) async throws(ConnectionError) -> Outcome {
        let peer = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        do {
            let progress = ReadProgress()
            let channel = try await connect(host: host, port: port, progress: progress)
            return try await channel.executeThenClose { inbound, _ in
                await body(TCPConnection(channel: channel.channel, inbound: inbound, progress: progress, peer: peer))
            }
        } catch {
            throw ConnectionError(error, peer: peer)
        }
    }

    /// When the task is cancelled meanwhile, the socket is closed, which ends the wait.
    private func connect(host: String, port: Int, progress: ReadProgress) async throws -> NIOAsyncChannel<
        Received, Never
    > {
        let pending = PendingChannels()
        return try await withTaskCancellationHandler {
            try await bootstrap.channelInitializer { channel in
                pending.add(channel)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .connect(host: host, port: port)
            .flatMapThrowing { channel in
                // Not in the initializer, which runs for each address tried: an async channel that is dropped because
                // another address won ends the process (NIOAsyncWriter's deinit, swift-nio 2.101).
                try channel.pipeline.syncOperations.addHandler(
                    ReadStamper(bufferSize: Self.readSize, wallClock: wallClock, progress: progress))
                return try NIOAsyncChannel<Received, Never>(
                    wrappingChannelSynchronously: channel,
                    configuration: .init(backPressureStrategy: Self.waitingReads))
            }
            .get()
        } onCancel: {
            pending.close()
        }
    }

    private var bootstrap: ClientBootstrap {
        ClientBootstrap(group: group)
            .connectTimeout(connectTimeout)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPIDLE)), value: keepalive.idle)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPINTVL)), value: keepalive.interval)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPCNT)), value: keepalive.probes)
            // Keepalive is silent while something sent is unanswered; this bounds that case alike (tcp(7)).
            .channelOption(
                .tcpOption(.init(rawValue: TCP_USER_TIMEOUT)), value: Int(keepalive.limit.components.seconds) * 1000
            )
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readSize))
    }
}

/// The sockets of an attempt to connect, one an address, to be closed when the attempt is given up.
private final class PendingChannels: Sendable {
    private let state = Mutex<(channels: [any Channel], closed: Bool)>(([], false))

    func add(_ channel: any Channel) {
        let closed = state.withLock { state in
            if !state.closed { state.channels.append(channel) }
            return state.closed
        }
        if closed { channel.close(promise: nil) }
    }

    func close() {
        let channels = state.withLock { state in
            state.closed = true
            defer { state.channels = [] }
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
