package import ChatModel
import Logging
package import Sessions
package import StreamChat
import StreamChatWire
import Synchronization
package import TestSupport

/// A listener with nothing around it but what the test plays: no socket, no disk, no clock that runs.
package final class ListenerHarness: Sendable {
    package static let epoch = Timestamp(microseconds: 1_790_000_000_000_000)

    package let clock = ManualClock()
    package let connector = ScriptedConnector()
    package let sink: RecordingSink
    package let reports = Watched<[ListenerReport]>([])
    private let state: MemoryState
    private let inputs = AsyncStream<ListenerInput>.makeStream()
    private let clockError = Mutex(Duration.zero)

    package init(state: MemoryState = MemoryState(), sink: RecordingSink = RecordingSink()) {
        self.state = state
        self.sink = sink
    }

    /// The wall clock: `seconds` after the test began, or as long as the test has gone on, and as wrong as it was set.
    package func time(_ seconds: Double) -> Timestamp {
        Self.epoch.advanced(by: .seconds(seconds))
    }

    var wallTime: Timestamp {
        Self.epoch.advanced(by: clock.now.offset + clockError.withLock { $0 })
    }

    /// Both clocks; the steady one goes on as long as the test has.
    package var reading: ClockReading { ClockReading(wall: wallTime, steady: clock.now.offset) }

    package func setClock(wrongBy error: Duration) {
        clockError.withLock { $0 = error }
    }

    package func send(_ input: ListenerInput) {
        inputs.continuation.yield(input)
    }

    /// Runs the listener, started, beside `body`, and stops it after that.
    package func run(
        _ configure: (inout StreamChatConfiguration) -> Void = { _ in },
        random: any RandomNumberGenerator & Sendable = Highest(), body: () async throws -> Void
    ) async rethrows {
        var configuration = StreamChatConfiguration(host: "chat.example", port: 5080, nick: "archiver", room: "lobby")
        configure(&configuration)
        let listener = StreamChatListener(
            configuration, connector: connector,
            tools: ListenerTools(
                clock: clock, readClocks: { self.reading }, random: random,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self, inputs] in
                await listener.run(inputs: inputs.stream, into: sink, state: state) { report in
                    self.reports.change { $0.append(report) }
                }
            }
            send(.start)
            try await body()
            send(.stop)
            for try await _ in group {}
        }
    }

    /// The listener's end of a connection that has joined, and of which nothing was heard yet.
    package func joined() async -> ScriptedConnection {
        let connection = connector.accept()
        await connection.sends("USR_NAME::archiver::END")
        return connection
    }

    /// Returns when the listener has reported this.
    package func reported(_ isMet: @escaping @Sendable (ListenerReport) -> Bool) async {
        await reports.wait { $0.contains(where: isMet) }
    }

    package func ends() -> [(at: Timestamp, reason: EndReason, detail: String?)] {
        sink.events.compactMap { event in
            if case .sessionEnded(_, let at, let reason, let detail) = event { (at, reason, detail) } else { nil }
        }
    }
}
