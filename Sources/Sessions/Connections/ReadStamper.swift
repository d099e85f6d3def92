import ChatModel
import NIOCore

/// Stamps each read with the clocks, on the event loop, before it waits for a consumer.
final class ReadStamper: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Received

    private let bufferSize: Int
    private let readClocks: @Sendable () -> ClockReading
    private let progress: ReadProgress
    private let traffic: Traffic?

    init(
        bufferSize: Int, readClocks: @escaping @Sendable () -> ClockReading, progress: ReadProgress, traffic: Traffic?
    ) {
        (self.bufferSize, self.readClocks, self.progress, self.traffic) = (bufferSize, readClocks, progress, traffic)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        // Copies the bytes, because NIO's buffer takes `bufferSize` bytes even for a short read.
        let received = Received(
            bytes: Array(buffer.readableBytesView), at: readClocks(), filledBuffer: buffer.readableBytes >= bufferSize)
        progress.countRead()
        traffic?.add(received.bytes.count)
        context.fireChannelRead(wrapInboundOut(received))
    }
}
