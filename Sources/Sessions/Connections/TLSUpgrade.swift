import NIOCore
import NIOSSL

/// The dialogue in plain text after which a connection continues by TLS, such as STARTTLS.
package protocol UpgradeDialogue: Sendable {
    /// The bytes to send first.
    var opening: [UInt8] { get }
    /// Takes the next bytes from the peer.
    ///
    /// - Returns: Bytes to send, and true when TLS begins. What the peer sent after that in plain text is dropped.
    /// - Throws: ``ConnectionError`` if there will be no TLS.
    mutating func take(_ bytes: [UInt8]) throws(ConnectionError) -> (send: [UInt8], isOver: Bool)
}

/// Leads the dialogue, and puts TLS into its place. Holds back what is written meanwhile, so that nothing else is sent in
/// plain text.
final class UpgradeHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var dialogue: any UpgradeDialogue
    private let makeTLS: () throws -> NIOSSLClientHandler
    private let peer: String
    private var (hasBegun, isOver) = (false, false)
    private var held: [(data: NIOAny, promise: EventLoopPromise<Void>?)] = []

    init(_ dialogue: any UpgradeDialogue, peer: String, makeTLS: @escaping () throws -> NIOSSLClientHandler) {
        (self.dialogue, self.peer, self.makeTLS) = (dialogue, peer, makeTLS)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    /// The channel becomes active before or after the handler is added.
    private func begin(_ context: ChannelHandlerContext) {
        guard !hasBegun else { return }
        hasBegun = true
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: dialogue.opening)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        do {
            let step = try dialogue.take(Array(unwrapInboundIn(data).readableBytesView))
            if !step.send.isEmpty {
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: step.send)), promise: nil)
            }
            if step.isOver { try secure(context) }
        } catch {
            isOver = true
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }

    private func secure(_ context: ChannelHandlerContext) throws {
        isOver = true
        try context.pipeline.syncOperations.addHandler(makeTLS(), position: .before(self))
        for write in held { context.write(write.data, promise: write.promise) }
        held = []
        context.flush()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        held.append((data, promise))
    }

    func flush(context: ChannelHandlerContext) {}

    func channelInactive(context: ChannelHandlerContext) {
        fail()
        if !isOver {
            context.fireErrorCaught(ConnectionError(code: .reset, detail: "\(peer) closed the connection before TLS"))
        }
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { fail() }

    private func fail() {
        for write in held { write.promise?.fail(ChannelError.ioOnClosedChannel) }
        held = []
    }
}
