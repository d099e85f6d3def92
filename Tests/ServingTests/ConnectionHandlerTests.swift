import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

@testable import Serving

/// A socket that takes no bytes until a test lets it.
private final class StuckSocket: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var promises: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if let promise { promises.append(promise) }
    }

    /// Sends the bytes of the earliest write.
    func send() { if !promises.isEmpty { promises.removeFirst().succeed() } }
}

struct ConnectionHandlerTests {
    private let channel = EmbeddedChannel()
    private let socket = StuckSocket()
    private let unsent: UnsentBytes
    private let connections: Connections

    private static let patience = ConnectionHandler.patience
    private static let share = Share.token("a")

    init() throws {
        unsent = UnsentBytes(
            UnsentBytes.Limits(ofToken: 100), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        connections = Connections(unsent)
        try channel.pipeline.syncOperations.addHandlers([socket, ConnectionHandler(connections)])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private var connection: Connection? { connections[ObjectIdentifier(channel)] }

    private func write(_ count: Int) {
        channel.write(HTTPResponsePart.body(ByteBuffer(repeating: 65, count: count)), promise: nil)
    }

    private func isRefused() -> Bool { (try? unsent.check(Self.share)) == nil }

    @Test func `a client that does not read is closed after its time, and its bytes are released`() throws {
        connection?.begin(Self.share)
        write(100)
        #expect(isRefused())
        channel.embeddedEventLoop.advanceTime(by: Self.patience - .nanoseconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        #expect(!channel.isActive)
        while isRefused() { socket.send() }
    }

    @Test func `a client that reads slowly is served as long as it reads`() throws {
        connection?.begin(Self.share)
        for _ in 0..<20 { write(10) }
        for _ in 0..<20 {
            channel.embeddedEventLoop.advanceTime(by: Self.patience - .nanoseconds(1))
            socket.send()
        }
        channel.embeddedEventLoop.advanceTime(by: Self.patience)
        #expect(channel.isActive && !isRefused())
    }

    @Test func `a gone client is noticed at once, and a half-closed one a little later`() throws {
        let gone = Mutex(0)
        connection?.whenGone { gone.withLock { $0 += 1 } }
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(gone.withLock(\.self) == 0)
        channel.embeddedEventLoop.advanceTime(by: ConnectionHandler.grace)
        #expect(gone.withLock(\.self) == 1)
        connection?.whenGone { gone.withLock { $0 += 10 } }
        #expect(gone.withLock(\.self) == 11)
        connection?.whenGone(nil)
        try channel.close().wait()
        #expect(gone.withLock(\.self) == 11 && connection == nil)
    }

    @Test func `a client's next request begins when earlier answers are sent, or the client is gone`() async {
        let connection = Connection(unsent)
        await connection.untilSent()
        connection.begin(Self.share)
        let share = connection.addUnsent(10)
        #expect(share == Self.share && connection.addUnsent(20) == share)
        async let next: Void = connection.untilSent()
        connection.removeUnsent(20, of: share)
        connection.removeUnsent(10, of: share)
        await next
        _ = connection.addUnsent(100)
        async let last: Void = connection.untilSent()
        connection.end()
        await last
        #expect(isRefused())
    }

    @Test func `a client that sends many requests without waiting is closed`() throws {
        let head = HTTPRequestPart.head(HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"))
        for _ in 0..<ConnectionHandler.pipelined { try channel.writeInbound(head) }
        #expect(channel.isActive)
        try channel.writeInbound(head)
        #expect(!channel.isActive)
    }
}
