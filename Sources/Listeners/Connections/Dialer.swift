import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Opens sockets, with options that reveal a peer that is gone.
struct Dialer: Sendable {
    /// The most bytes that one read takes: as many as a message may have, so that few reads end inside one.
    static let readSize = 64 * 1024

    let group: any EventLoopGroup
    var keepalive = Keepalive()
    /// The time after which an attempt is given up; 10 s is a few lost SYNs.
    var connectTimeout = TimeAmount.seconds(10)

    /// Connects to the first address that answers. When the task is cancelled, this returns at once, even while the
    /// host's name is being looked up, and the sockets are closed.
    ///
    /// - Parameter wrap: Runs on the event loop for the one channel that is connected, before anything is read. Not in an
    ///   initializer, which runs for each address tried: an async channel that is dropped because another address won
    ///   ends the process (NIOAsyncWriter's deinit, swift-nio 2.101).
    func dial<Wrapped: Sendable>(
        host: String, port: Int, wrap: @escaping @Sendable (any Channel) throws -> Wrapped
    ) async throws -> Wrapped {
        let pending = PendingChannels()
        let result = group.any().makePromise(of: Wrapped.self)
        bootstrap.channelInitializer { channel in
            pending.add(channel)
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        .connect(host: host, port: port)
        .flatMapThrowing { channel in
            do {
                guard pending.take() else { throw CancellationError() }
                return try wrap(channel)
            } catch {
                channel.close(promise: nil)
                throw error
            }
        }
        .cascade(to: result)
        return try await withTaskCancellationHandler {
            try await result.futureResult.get()
        } onCancel: {
            // What is wrapped already has to be handed over.
            if pending.close() { result.fail(CancellationError()) }
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
            // The event loop has other accounts' sockets, too: each is read once before any is read again.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readSize))
    }
}

/// The sockets of an attempt to connect, one for each address, closed together when the attempt is given up.
private final class PendingChannels: Sendable {
    private struct State {
        var channels: [any Channel] = []
        var isClosed = false
        /// True when one of them is connected and has an owner.
        var isTaken = false
    }

    private let state = Mutex(State())

    func add(_ channel: any Channel) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.channels.append(channel) }
            return state.isClosed
        }
        if isClosed { channel.close(promise: nil) }
    }

    /// Takes the connected socket; false when the attempt was given up before.
    func take() -> Bool {
        state.withLock { state in
            state.isTaken = !state.isClosed
            return state.isTaken
        }
    }

    /// - Returns: True when no socket was taken, and none will be.
    func close() -> Bool {
        let (channels, isTaken) = state.withLock { state in
            state.isClosed = true
            defer { state.channels = [] }
            return (state.channels, state.isTaken)
        }
        for channel in channels { channel.close(promise: nil) }
        return !isTaken
    }
}
