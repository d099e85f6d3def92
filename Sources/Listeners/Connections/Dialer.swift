import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Opens sockets, with what it takes to notice a peer that is gone.
struct Dialer: Sendable {
    /// The most that one read takes: as much as a message may have, so that few reads end inside one.
    static let readSize = 64 * 1024

    let group: any EventLoopGroup
    var keepalive = Keepalive()
    /// Until an attempt is given up; 10 s is a few lost SYNs.
    var connectTimeout = TimeAmount.seconds(10)

    /// When the task is cancelled meanwhile, the socket is closed, which ends the wait.
    ///
    /// - Parameter wrap: Runs on the event loop for the one channel that is connected, before anything is read. Not in an
    ///   initializer, which runs for each address tried: an async channel that is dropped because another address won
    ///   ends the process (NIOAsyncWriter's deinit, swift-nio 2.101).
    func dial<Wrapped: Sendable>(
        host: String, port: Int, wrap: @escaping @Sendable (any Channel) throws -> Wrapped
    ) async throws -> Wrapped {
        let pending = PendingChannels()
        return try await withTaskCancellationHandler {
            try await bootstrap.channelInitializer { channel in
                pending.add(channel)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .connect(host: host, port: port)
            .flatMapThrowing { channel in
                do {
                    return try wrap(channel)
                } catch {
                    channel.close(promise: nil)
                    throw error
                }
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
