import ChatModel
import NIOCore

/// Notes when each read happened, on the event loop, before it waits for anyone.
final class ReadStamper: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Received

    private let bufferSize: Int
    private let wallClock: @Sendable () -> Timestamp
    private let progress: ReadProgress

    init(bufferSize: Int, wallClock: @escaping @Sendable () -> Timestamp, progress: ReadProgress) {
        self.bufferSize = bufferSize
        self.wallClock = wallClock
        self.progress = progress
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        // A copy of its own size: NIO's buffer has room for `bufferSize`, however little came.
        let received = Received(
            bytes: Array(buffer.readableBytesView), at: wallClock(), filledBuffer: buffer.readableBytes >= bufferSize)
        progress.tookRead()
        context.fireChannelRead(wrapInboundOut(received))
    }

    func channelInactive(context: ChannelHandlerContext) {
        progress.ended(at: wallClock())
        context.fireChannelInactive()
    }
}
