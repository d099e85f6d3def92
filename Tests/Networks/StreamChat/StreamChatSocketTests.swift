import ChatModel
import Logging
import NIOCore
import NIOPosix
import ScriptedSessions
import Sessions
import StreamChat
import StreamChatWire
import TestSupport
import Testing

/// The listener on real sockets and by real clocks.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct StreamChatSocketTests {
    @Test func `messages arrive in order, and a closed connection is reopened`() async throws {
        let lines = 500
        try await LoopbackServer.run { number, inbound, outbound in
            var received = inbound.makeAsyncIterator()
            _ = try await received.next()
            try await outbound.write(ByteBuffer(string: "archiver has joined\n"))
            for line in 0..<lines { try await outbound.write(ByteBuffer(string: "alice::\(number) \(line)\n")) }
            // The first connection is closed, the second waits for LEAVE and the end.
            if number > 0 { while try await received.next() != nil {} }
        } body: { server in
            var configuration = StreamChatConfiguration(
                host: "127.0.0.1", port: server.port, nick: "archiver", room: "lobby")
            configuration.framing = .lf
            configuration.backoff = Backoff.Limits(first: .milliseconds(1), longest: .milliseconds(10))
            let listener = StreamChatListener(
                configuration, connector: TCPConnector(group: MultiThreadedEventLoopGroup.singleton),
                tools: ListenerTools(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
            let sink = RecordingSink()
            let inputs = AsyncStream<ListenerInput>.makeStream()
            await withTaskGroup { group in
                group.addTask { await listener.run(inputs: inputs.stream, into: sink, state: MemoryState()) { _ in } }
                inputs.continuation.yield(.start)
                await sink.state.wait { state in
                    state.events.contains { event in
                        if case .message(let message, _) = event { message.body == "1 \(lines - 1)" } else { false }
                    }
                }
                inputs.continuation.yield(.stop)
            }
            let expected = (0..<2).flatMap { number in
                ["+archiver"] + (0..<lines).map { "alice: \(number) \($0)" }
            }
            #expect(sink.messageTexts == expected)
            #expect(
                sink.shape.filter { ["opened", "live", "ended closed", "ended stopped"].contains($0) } == [
                    "opened", "live", "ended closed", "opened", "live", "ended stopped",
                ])
            let times = sink.events.compactMap { if case .chunk(let chunk) = $0 { chunk.receivedAt } else { nil } }
            #expect(times == times.sorted() && Set(times).count == times.count)
        }
    }
}
