import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Watches a connection: closes it if the client does not read, notes when the client has gone, and reads no requests
/// ahead.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: Connections
    private var connection: Connection?
    /// When bytes were last sent, or began to wait.
    private var lastProgress = NIODeadline.uptimeNanoseconds(0)
    private var look: Scheduled<Void>?
    private var goodbye: Scheduled<Void>?
    /// The requests without a whole answer.
    private var requests = 0
    private var isReadHeld = false

    /// The time without progress after which a connection with unsent bytes closes.
    static let patience = TimeAmount.seconds(30)
    /// The time after which a client that has closed its side counts as gone. Until then, a client that only says that it
    /// sends no more gets its answer.
    static let grace = TimeAmount.seconds(1)
    /// The requests that a client may send without waiting for answers. No browser sends more than one.
    static let pipelined = 32
    /// `TCP_NOTSENT_LOWAT` of Linux: the bytes that the system takes before they can be sent. It would take up to 4 MB.
    private static let systemBytes = (
        option: ChannelOptions.Types.SocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: 25)),
        value: 128 * 1024
    )

    init(_ connections: Connections) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) {
        connection = connections.add(context.channel)
        // A socket's path has no such option.
        context.channel.setOption(Self.systemBytes.option, value: Self.systemBytes.value).whenComplete { _ in }
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(context) }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) {
            requests += 1
            guard requests <= Self.pipelined else { return context.close(promise: nil) }
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if requests > 1 { isReadHeld = true } else { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent, goodbye == nil {
            let connection = connection
            goodbye = context.eventLoop.scheduleTask(in: Self.grace) { () -> Void in connection?.end() }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    private func end(_ context: ChannelHandlerContext) {
        look?.cancel()
        goodbye?.cancel()
        connections.remove(context.channel)
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .body(let bytes): write(bytes.readableBytes, data, promise, context)
        case .head: context.write(data, promise: promise)
        case .end:
            context.write(data, promise: promise)
            requests -= 1
            guard isReadHeld, requests <= 1 else { return }
            isReadHeld = false
            context.read()
        }
    }

    private func write(
        _ count: Int, _ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) {
        let promise = promise ?? context.eventLoop.makePromise()
        if connection?.unsentBytes == 0 { lastProgress = context.eventLoop.now }
        let share = connection?.addUnsent(count)
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            lastProgress = context.eventLoop.now
            connection?.removeUnsent(count, of: share)
        }
        context.write(data, promise: promise)
        if look == nil { watch(until: context.eventLoop.now + Self.patience, context) }
    }

    /// Looks at the connection at an instant, and again as long as bytes wait.
    private func watch(until instant: NIODeadline, _ context: ChannelHandlerContext) {
        look = context.eventLoop.assumeIsolated().scheduleTask(deadline: instant) { [self] in
            look = nil
            guard let connection, connection.unsentBytes > 0 else { return }
            let end = lastProgress + Self.patience
            guard context.eventLoop.now >= end else { return watch(until: end, context) }
            context.close(promise: nil)
        }
    }
}
