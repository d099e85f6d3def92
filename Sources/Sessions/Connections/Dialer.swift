import Glibc
package import NIOCore
import NIOPosix
import Synchronization

/// Opens sockets, with options by which the kernel notices a vanished peer.
package struct Dialer: Sendable {
    /// The limit of bytes in one read: the limit of a message, so that few reads end inside a message.
    static let readSize = 64 * 1024

    let group: any EventLoopGroup
    let keepalive: Keepalive
    /// The time after which an attempt fails; 10 s allow for a few lost SYNs.
    let connectTimeout: TimeAmount

    package init(
        group: any EventLoopGroup, keepalive: Keepalive = Keepalive(), connectTimeout: TimeAmount = .seconds(10)
    ) {
        (self.group, self.keepalive, self.connectTimeout) = (group, keepalive, connectTimeout)
    }

    /// Connects to the first address that answers. If the task is cancelled, closes the sockets and returns at once,
    /// even during the lookup of the host's name.
    ///
    /// - Parameter wrap: Runs on the event loop for the one connected channel, before anything is read. It does not run
    ///   in an initializer, which runs for each address: an async channel that is dropped because another address won
    ///   ends the process (NIOAsyncWriter's deinit, swift-nio 2.101).
    package func dial<Wrapped: Sendable>(
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
                guard pending.claim() else { throw CancellationError() }
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
            // A wrapped channel must be handed over.
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
            // Keepalive sends no probes while sent data is unconfirmed. This option sets the same limit for that case
            // (tcp(7)).
            .channelOption(
                .tcpOption(.init(rawValue: TCP_USER_TIMEOUT)), value: Int(keepalive.limit.components.seconds) * 1000
            )
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // The event loop also has other accounts' sockets. Each is read once before any is read again.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readSize))
    }
}

/// The sockets of an attempt to connect, one for each address. They are closed together if the attempt ends.
private final class PendingChannels: Sendable {
    private struct State {
        var channels: [any Channel] = []
        var isClosed = false
        /// True if one of the sockets is connected and has an owner.
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

    /// Takes the connected socket. Returns false if the attempt has ended before.
    func claim() -> Bool {
        state.withLock { state in
            state.isTaken = !state.isClosed
            return state.isTaken
        }
    }

    /// - Returns: True if no socket was taken. None can be taken after that.
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
