package import ChatModel
package import Logging
package import NIOCore

/// Archives the account's rooms of a workspace service: hears them over Socket.IO, fetches their history over HTTP, and
/// begins again whenever the connection is lost.
package struct SLPListener: Listener {
    let configuration: SLPListenerConfiguration
    let attachments: (any AttachmentStore)?
    let group: any EventLoopGroup
    let clock: any Clock<Duration>
    let wallClock: @Sendable () -> Timestamp
    let random: any RandomNumberGenerator & Sendable
    let logger: Logger

    /// - Parameters:
    ///   - attachments: Where files go; nil where none is fetched, not even what is asked for.
    ///   - clock: What waits are measured by; never set, so not the wall clock.
    ///   - wallClock: What times of receipt come from.
    ///   - logger: With the account in its metadata.
    package init(
        _ configuration: SLPListenerConfiguration, attachments: (any AttachmentStore)? = nil, group: any EventLoopGroup,
        clock: any Clock<Duration> = ContinuousClock(), wallClock: @escaping @Sendable () -> Timestamp = { .now() },
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), logger: Logger
    ) {
        self.configuration = configuration
        self.attachments = attachments
        self.group = group
        self.clock = clock
        self.wallClock = wallClock
        self.random = random
        self.logger = logger
    }

    /// The end of `inputs` is a stop. An account that can't log in waits for that, as nothing else helps.
    package func run(
        inputs: AsyncStream<ListenerInput>, into sink: any EventSink, state: any ListenerState,
        report: @escaping @Sendable (ListenerReport) -> Void
    ) async {
        let reporter = Reporter(wallClock: wallClock, report: report)
        let start = Signal()
        let stop = Signal()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await input in inputs {
                    if input == .stop { break }
                    if input == .start { start.set() }
                    if case .send = input { reporter.note(error: "not sent: this network is only listened to") }
                }
                stop.set()
            }
            await stop.cancelling { await start.wait() }
            await stayConnected(sink, state, reporter, stop)
            group.cancelAll()
        }
        reporter.offline()
    }

    private func stayConnected(
        _ sink: any EventSink, _ state: any ListenerState, _ reporter: Reporter, _ stop: Signal
    ) async {
        var loop = ReconnectLoop(
            sink: sink, stop: stop, clock: clock, wallClock: wallClock, reporter: reporter, logger: logger,
            backoff: Backoff(limits: configuration.backoff), random: random)
        let attempts = SLPAttempts(listener: self, sink: sink, state: state, reporter: reporter, stop: stop)
        var receipts = ReceiptClock(last: nil)
        await loop.run { await attempts.attempt(&receipts) }
    }
}
