package import ChatModel
package import Logging
import StreamChatWire

/// Archives the room of a StreamChat server: joins it, hears it, and joins again whenever the connection is lost.
package struct StreamChatListener: Listener {
    /// Names read from the store at each connection; the parser keeps as many (``KnownNames``).
    static let knownNames = 10_000

    let configuration: StreamChatConfiguration
    let connector: any Connector
    let clock: any Clock<Duration>
    let wallClock: @Sendable () -> Timestamp
    let random: any RandomNumberGenerator & Sendable
    let logger: Logger

    /// - Parameters:
    ///   - clock: What waits are measured by; never set, so not the wall clock.
    ///   - wallClock: What times of receipt come from.
    ///   - logger: With the account in its metadata.
    package init(
        _ configuration: StreamChatConfiguration, connector: any Connector,
        clock: any Clock<Duration> = ContinuousClock(), wallClock: @escaping @Sendable () -> Timestamp = { .now() },
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), logger: Logger
    ) {
        self.configuration = configuration
        self.connector = connector
        self.clock = clock
        self.wallClock = wallClock
        self.random = random
        self.logger = logger
    }

    /// The end of `inputs` is a stop.
    package func run(
        inputs: AsyncStream<ListenerInput>, into sink: any EventSink, state: any ListenerState,
        report: @escaping @Sendable (ListenerReport) -> Void
    ) async {
        let reporter = Reporter(wallClock: wallClock, report: report)
        let outbox = Outbox()
        let start = Signal()
        let stop = Signal()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await input in inputs {
                    if input == .stop { break }
                    if input == .start { start.set() }
                    if case .send(let text) = input { reporter.note(error: say(text, into: outbox)) }
                }
                stop.set()
            }
            await stop.cancelling { await start.wait() }
            await stayConnected(
                StreamChatAttempts(
                    listener: self, sink: sink, state: state, reporter: reporter, outbox: outbox, stop: stop))
            group.cancelAll()
        }
        reporter.offline()
    }

    private func stayConnected(_ attempts: StreamChatAttempts) async {
        var loop = ReconnectLoop(
            sink: attempts.sink, stop: attempts.stop, clock: clock, wallClock: wallClock, reporter: attempts.reporter,
            logger: logger, backoff: Backoff(limits: configuration.backoff), random: random)
        var receipts = ReceiptClock(last: nil)
        await loop.run { await attempts.attempt(&receipts) }
    }

    /// Nil when it is on its way to the server, else why it isn't.
    private func say(_ text: String, into outbox: Outbox) -> String? {
        do {
            try Outgoing.validate(text: text)
            return outbox.post(ClientFrame.message(text: text).encoded(configuration.revision))
        } catch {
            return "not sent: \(error.detail)"
        }
    }
}

extension StreamChatConfiguration {
    /// A StreamChat server has one room, without a name of its own.
    var roomReference: RoomReference {
        RoomReference(key: "", name: room, kind: .server)
    }
}
