import ChatModel
import NIOCore
import NIOHTTP1
import NIOWebSocket
import SLPWire
import Sessions

/// Opens WebSockets to a Socket.IO server.
struct WebSocketDialer: Sendable {
    typealias Channel = NIOAsyncChannel<StampedFrame, WebSocketFrame>

    /// A WebSocket, and its first packet.
    struct Opened: Sendable {
        var channel: Channel
        var first: EventLoopFuture<Decoded<EnginePacket>>
    }

    /// The number of messages that may wait for their consumer before reading stops.
    private static let waitingFrames = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
        lowWatermark: 1, highWatermark: 2)
    /// The limit of parts of one message. Servers send a message in one part.
    private static let fragments = 1024

    /// The limit of bytes in a read. A frame may have only two bytes, and the event loop, which also serves other
    /// accounts' sockets, handles all frames of a read before other sockets.
    private static let readSize = 8 * 1024

    let dialer: Dialer
    let configuration: SocketIOConfiguration
    let readClocks: @Sendable () -> ClockReading
    let traffic: Traffic?

    /// - Parameter session: The session to continue; nil opens one.
    /// - Returns: Nil if the server's answer is not a WebSocket.
    func open(session: String?) async throws -> Opened? {
        let secured = configuration.isSecure ? try TLSOptions(configuration.tls).handlers(for: configuration.host) : nil
        let (channel, opened) = try await dialer.dial(host: configuration.host, port: configuration.port) { channel in
            try channel.syncOptions?.setOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readSize))
            if let secured { try channel.pipeline.syncOperations.addHandler(secured()) }
            return (channel, try upgrade(channel, session: session))
        }
        return try await withTaskCancellationHandler {
            try await opened.get()
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    private func upgrade(_ channel: any NIOCore.Channel, session: String?) throws -> EventLoopFuture<Opened?> {
        let upgrader = NIOTypedWebSocketClientUpgrader<Opened?>(
            maxFrameSize: configuration.limits.packetBytes,
            // The automatic handling would close the channel before it reports the reason (swift-nio 2.101).
            enableAutomaticErrorHandling: false
        ) { channel, _ in
            channel.eventLoop.makeCompletedFuture { try wrap(channel) }
        }
        // Offers no extension, so that nothing is compressed.
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: configuration.target(.websocket, session: session),
            headers: ["Host": configuration.hostHeader])
        var pipeline = NIOUpgradableHTTPClientPipelineConfiguration<Opened?>(
            upgradeConfiguration: .init(upgradeRequestHead: head, upgraders: [upgrader]) { channel in
                channel.close(promise: nil)
                return channel.eventLoop.makeSucceededFuture(nil)
            })
        // A server that opens the session may send its first message in the same read as the answer.
        pipeline.leftOverBytesStrategy = .forwardBytes
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: pipeline)
    }

    private func wrap(_ channel: any NIOCore.Channel) throws -> Opened {
        let first = channel.eventLoop.makePromise(of: Decoded<EnginePacket>.self)
        try channel.pipeline.syncOperations.addHandlers(
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: Self.fragments,
                maxAccumulatedFrameSize: configuration.limits.packetBytes),
            FrameStamper(first: first, readClocks: readClocks, traffic: traffic))
        return Opened(
            channel: try Channel(
                wrappingChannelSynchronously: channel,
                configuration: .init(backPressureStrategy: Self.waitingFrames)),
            first: first.futureResult)
    }
}

/// Stamps each frame with the clocks, on the event loop, before it waits for a consumer. Takes the first packet out of
/// the stream, because it confirms that the WebSocket is open.
private final class FrameStamper: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = StampedFrame

    /// Nil once the first packet has come.
    private var first: EventLoopPromise<Decoded<EnginePacket>>?
    private let traffic: Traffic?
    private let readClocks: @Sendable () -> ClockReading

    init(
        first: EventLoopPromise<Decoded<EnginePacket>>, readClocks: @escaping @Sendable () -> ClockReading,
        traffic: Traffic?
    ) {
        (self.first, self.traffic, self.readClocks) = (first, traffic, readClocks)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        traffic?.add(frame.length)
        if frame.opcode == .text, let first = first.take() {
            first.succeed(EnginePacket.decode(text: frame.bytes))
        } else {
            context.fireChannelRead(wrapInboundOut(StampedFrame(frame: frame, at: readClocks())))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        first.take()?.fail(error)
        context.fireErrorCaught(error)
    }

    /// Fails the first packet at the end of the connection.
    func handlerRemoved(context: ChannelHandlerContext) {
        first.take()?.fail(ChannelError.eof)
    }
}
