import NIOCore
import NIOPosix
import Rendering
import StreamChatWire

/// A person in the room, with a TCP connection.
final class DemoPerson {
    let name: String
    private let channel: any Channel
    private var reads: AsyncStream<ByteBuffer>.Iterator
    private var received: [UInt8] = []

    static func join(_ name: String, port: Int) async throws -> DemoPerson {
        let person = try await DemoPerson(name, port: port)
        try await person.send(.join(name: name))
        return person
    }

    private init(_ name: String, port: Int) async throws {
        self.name = name
        let (stream, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ReadForwarder(continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        reads = stream.makeAsyncIterator()
    }

    /// Sends a text. Returns when the room has it, because everyone receives their own messages.
    func say(_ text: String) async throws {
        try await send(.message(text: text))
        try await waitFor(.message(name: name, text: text))
    }

    func waitFor(_ line: ServerLine) async throws {
        let wanted = line.encoded(.august2021, .lf)
        while !takeLine(wanted) {
            guard let read = await reads.next(isolation: #isolation) else {
                throw DemoError(.demo, "the room server disconnected \(name)", hint: nil)
            }
            received += read.readableBytesView
        }
    }

    func leave() async throws {
        try await send(.leave)
        // The server hangs up as well, perhaps first.
        try? await channel.close()
    }

    func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    private func send(_ frame: ClientFrame) async throws {
        try await send(frame.encoded(.august2021))
    }

    /// Drops the received lines up to `wanted`. Returns true if it was among them.
    private func takeLine(_ wanted: [UInt8]) -> Bool {
        while let end = received.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(received[...end])
            received.removeFirst(line.count)
            if line == wanted { return true }
        }
        return false
    }
}

private final class ReadForwarder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let reads: AsyncStream<ByteBuffer>.Continuation

    init(_ reads: AsyncStream<ByteBuffer>.Continuation) {
        self.reads = reads
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reads.yield(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) {
        reads.finish()
    }
}
