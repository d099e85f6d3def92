import Archive
import ChatModel
import Foundation
import Logging
import NIOCore
import NIOPosix
import Reading
import Sessions
import StreamChat
import StreamChatWire
import TestSupport
import Writing

/// A run of one scenario, from an empty room to a stored one.
struct RoomLoadRun: Sendable {
    static let nick = "archiver"
    private static let account = AccountIdentity(name: "classroom", network: "streamchat")
    static let silent = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
    private static let deadline = Duration.seconds(120)

    private let scenario: RoomScenario

    init(_ scenario: RoomScenario) {
        self.scenario = scenario
    }

    func result() async throws -> RoomLoadResult {
        let folder = try TemporaryFolder()
        let archive = Archive(folder: folder.path, logger: Self.silent)
        let writer = try await archive.openWriter(Self.account)
        let sink = ObservingSink(base: writer)
        let stalls = StallMeter()
        let sent = try await stalls.measuring { try await withDeadline { try await load(sink, state: writer) } }
        try await writer.close()
        return RoomLoadResult(
            scenario: scenario, stall: stalls.longest, sent: sent.bytes, speaking: sent.speaking, storing: sent.storing,
            batches: sink.seen.value.batches, storeAlone: try await storeAlone(sink.seen.value.batches),
            messages: try messages(in: archive), journal: try RoomLoadJournal.bytes(in: folder.path))
    }

    private struct Sent {
        /// The bytes for the listener, from its join to its stop.
        var bytes: [UInt8]
        /// The time until the witness had received all messages.
        var speaking: Duration
        /// The time until all messages were committed.
        var storing: Duration
    }

    private func load(_ sink: ObservingSink, state: any ListenerState) async throws -> Sent {
        try await withRoomServer(scenario.framing) { port in
            let (inputs, told) = AsyncStream<ListenerInput>.makeStream()
            return try await withThrowingTaskGroup { group in
                // Separate threads, so that the clients don't use those of the server and the listener.
                let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
                var crowd = try await RoomLoadCrowd(scenario, port: port, group: threads)
                group.addTask { await listener(port: port).run(inputs: inputs, into: sink, state: state) { _ in } }
                told.yield(.start)
                let start = await crowd.hearJoining(of: Self.nick)
                try await crowd.joinSpeakers()
                let sent = try await measure(&crowd, sink, since: start)
                told.yield(.stop)
                try await group.waitForAll()
                crowd.close()
                try await threads.shutdownGracefully()
                return sent
            }
        }
    }

    private func measure(_ crowd: inout RoomLoadCrowd, _ sink: ObservingSink, since start: Int) async throws -> Sent {
        let begin = ContinuousClock.now
        try await crowd.speak()
        let speaking = ContinuousClock.now - begin
        let spoken = crowd.transcript(after: start).count
        await sink.seen.wait { $0.bytes >= spoken }
        let storing = ContinuousClock.now - begin
        try await crowd.leave()
        let bytes = crowd.transcript(after: start)
        await sink.seen.wait { $0.bytes >= bytes.count }
        return Sent(bytes: bytes, speaking: speaking, storing: storing)
    }

    private func listener(port: Int) -> StreamChatListener {
        var configuration = StreamChatConfiguration(host: "127.0.0.1", port: port, nick: Self.nick, room: "lobby")
        configuration.framing = scenario.framing
        return StreamChatListener(
            configuration, connector: TCPConnector(group: .singletonMultiThreadedEventLoopGroup),
            tools: ListenerTools(logger: Self.silent))
    }

    private func messages(in archive: Archive) throws -> [Message] {
        var messages: [Message] = []
        var anchor = MessageQuery.Anchor.oldest
        while true {
            let page = try archive.reading().page(
                MessageQuery(scope: .accounts([Self.account.name]), anchor: anchor, limit: 1000))
            messages += page.messages
            guard let newer = page.newer else { return messages }
            anchor = .after(newer)
        }
    }

    /// Stores the same events in the same batches from memory in another archive.
    private func storeAlone(_ batches: [[ChatEvent]]) async throws -> Duration {
        let folder = try TemporaryFolder()
        let writer = try await Archive(folder: folder.path, logger: Self.silent).openWriter(Self.account)
        let begin = ContinuousClock.now
        for batch in batches { _ = try await writer.append(batch) }
        let duration = ContinuousClock.now - begin
        try await writer.close()
        return duration
    }

    /// Runs the body with a time limit, because a wait for a lost message would never end.
    private func withDeadline<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws
        -> Result
    {
        let watchdog = Task {
            try await Task.sleep(for: Self.deadline)
            print("\(scenario.name): not all was stored within \(Self.deadline)")
            exit(1)
        }
        defer { watchdog.cancel() }
        return try await body()
    }
}
