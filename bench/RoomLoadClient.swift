import NIOCore
import NIOPosix
import StreamChatWire
import TestSupport

/// A client of the room, which keeps or drops the received bytes.
struct RoomLoadClient: Sendable {
    private let channel: any Channel

    /// - Parameter heard: Receives the bytes; nil to drop them.
    init(port: Int, group: any EventLoopGroup, heard: Watched<[UInt8]>? = nil) async throws {
        channel = try await ClientBootstrap(group: group)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Ear(heard))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    func send(_ frame: ClientFrame) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: frame.encoded(.august2021)))
    }

    /// Sends each frame in its own write, without waiting for the write before it.
    func send(_ frames: [ClientFrame]) async throws {
        for frame in frames.dropLast() {
            channel.writeAndFlush(ByteBuffer(bytes: frame.encoded(.august2021)), promise: nil)
        }
        if let last = frames.last { try await send(last) }
    }

    func close() {
        channel.close(promise: nil)
    }

    private final class Ear: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let heard: Watched<[UInt8]>?

        init(_ heard: Watched<[UInt8]>?) { self.heard = heard }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data).readableBytesView
            heard?.change { $0 += bytes }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
