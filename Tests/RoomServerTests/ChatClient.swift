import NIOCore
import NIOPosix
import StreamChatWire
import Testing

/// A client as tests want it: sends bytes, and waits for the bytes that it is told to expect.
final class ChatClient {
    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        let reads: AsyncStream<[UInt8]>.Continuation

        init(_ reads: AsyncStream<[UInt8]>.Continuation) { self.reads = reads }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            reads.yield(Array(unwrapInboundIn(data).readableBytesView))
        }

        func channelInactive(context: ChannelHandlerContext) { reads.finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    let channel: any Channel
    private var reads: AsyncStream<[UInt8]>.Iterator
    private var received: [UInt8] = []

    /// With `reading` false nothing is read until ``read()``.
    init(port: Int, reading: Bool = true) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: reading)
            .channelOption(.allowRemoteHalfClosure, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Receiver(continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        reads = stream.makeAsyncIterator()
    }

    /// Joined, and known to be: it has had its own first message back.
    static func joined(_ name: String, port: Int, _ framing: Framing = .nul) async throws -> ChatClient {
        let client = try await ChatClient(port: port)
        try await client.send(.join(name: name))
        try await client.send(.message(text: "here"))
        let line = ServerLine.message(name: name, text: "here").encoded(.august2021, framing)
        #expect(await client.next(line.count) == line)
        return client
    }

    func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    func send(_ frame: ClientFrame) async throws {
        try await send(frame.encoded(.august2021))
    }

    /// The next `count` bytes, or what there is when the connection ends first.
    func next(_ count: Int) async -> [UInt8] {
        while received.count < count, let read = await reads.next(isolation: #isolation) { received += read }
        defer { received.removeFirst(min(count, received.count)) }
        return Array(received.prefix(count))
    }

    /// What one read brings; nil when the connection has ended.
    func read() async -> String? {
        await reads.next(isolation: #isolation).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Everything up to the end of the connection.
    func rest() async -> [UInt8] {
        await next(.max)
    }

    func receives(_ lines: ServerLine..., framing: Framing = .nul, revision: Revision = .august2021) async -> Bool {
        let bytes = lines.flatMap { $0.encoded(revision, framing) }
        return await next(bytes.count) == bytes
    }

    /// FIN without LEAVE.
    func close() async {
        try? await channel.close()
    }
}
