import NIOCore

/// Holds what a client says until somebody listens.
///
/// A socket that its peer has closed is read to its end whether reads are asked for or not (`readEOF0` of swift-nio 2.101),
/// and what nobody takes in the pipeline is dropped: a client that speaks and is gone at once would not be heard. What is
/// held is what the kernel had received by then.
final class EarlyReads: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var held: [ByteBuffer] = []
    private var hasEnded = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        held.append(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed {
            hasEnded = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Hands on what was held; whoever is in the pipeline by then hears the rest by itself.
    func handlerRemoved(context: ChannelHandlerContext) {
        guard !held.isEmpty || hasEnded else { return }
        for buffer in held { context.fireChannelRead(wrapInboundOut(buffer)) }
        context.fireChannelReadComplete()
        if hasEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
    }
}
