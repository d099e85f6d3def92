import NIOCore
import NIOPosix
import NIOSSL
import TestSupport

/// A TLS server that answers whatever it is sent, and tells whether it was sent anything.
struct TLSServer {
    let port: Int
    private let heard: Watched<Int>
    private let channel: any Channel

    /// Bytes that came behind the handshake.
    var bytes: Int { heard.value }

    /// - Parameter chain: Of certificates, the server's own first.
    static func start(
        _ chain: [String], key: String, versions: (lowest: TLSVersion, highest: TLSVersion) = (.tlsv12, .tlsv13)
    ) async throws -> TLSServer {
        let certificates = try chain.flatMap { try NIOSSLCertificate.fromPEMFile($0) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
        (configuration.minimumTLSVersion, configuration.maximumTLSVersion) = (versions.lowest, versions.highest)
        let context = try NIOSSLContext(configuration: configuration)
        let heard = Watched(0)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        NIOSSLServerHandler(context: context), Answer(heard))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return TLSServer(port: channel.localAddress?.port ?? 0, heard: heard, channel: channel)
    }

    func stop() {
        channel.close(promise: nil)
    }
}

private final class Answer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let heard: Watched<Int>

    init(_ heard: Watched<Int>) {
        self.heard = heard
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data).readableBytes
        heard.change { $0 += bytes }
        let answer = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
