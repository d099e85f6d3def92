package import ChatModel
package import Logging
package import NIOCore

/// Archives the account's rooms of a workspace service: hears them over Socket.IO, fetches their history over HTTP, and
/// begins again whenever the connection is lost.
package struct SLPListener: Listener {
    let live: Live<SLPListenerConfiguration>
    let attachments: (any AttachmentStore)?
    let group: any EventLoopGroup
    let clock: any Clock<Duration>
    let readClocks: @Sendable () -> ClockReading
    let random: any RandomNumberGenerator & Sendable
    let logger: Logger
    let lent = SLPUnreadCounter()
    let traffic: Traffic?

    /// What holds now.
    var configuration: SLPListenerConfiguration { live.value }

    package var counter: (any UnreadCounter)? { lent }

    /// - Parameters:
    ///   - attachments: Where files go; nil where none is fetched, not even what is asked for.
    ///   - traffic: Counts what is received.
    ///   - clock: What waits are measured by; never set, so not the wall clock.
    ///   - readClocks: What times of receipt come from.
    ///   - logger: With the account in its metadata.
    package init(
        _ configuration: SLPListenerConfiguration, attachments: (any AttachmentStore)? = nil, group: any EventLoopGroup,
        traffic: Traffic? = nil,
        clock: any Clock<Duration> = ContinuousClock(), readClocks: @escaping @Sendable () -> ClockReading = { .now() },
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), logger: Logger
    ) {
        live = Live(configuration)
        self.attachments = attachments
        self.group = group
        self.traffic = traffic
        self.clock = clock
        self.readClocks = readClocks
        self.random = random
        self.logger = logger
    }

    /// The end of `inputs` is a stop. An account that can't log in waits until there is something else to log in with.
    package func run(
        inputs: AsyncStream<ListenerInput>, into sink: any EventSink, state: any ListenerState,
        report: @escaping @Sendable (ListenerReport) -> Void
    ) async {
        let limits = SessionLoop.Limits(
            backoff: configuration.backoff, bufferBytes: configuration.bufferBytes,
            storeTimeout: configuration.storeTimeout)
        let loop = SessionLoop(
            limits, into: sink, state: state, clock: clock, readClocks: readClocks, random: random, logger: logger,
            report: report)
        let login = SLPLoginWatch(live, clock: clock)
        await loop.run(
            inputs, say: { _ in "not sent: this network is only listened to" },
            configure: { configuration in
                guard let configuration = configuration as? SLPListenerConfiguration else { return }
                live.change(to: configuration)
                loop.bufferBytes = configuration.bufferBytes
            }, mended: login.waitUntilMended
        ) { attempt in
            await SLPAttempt(listener: self, login: login, attempt: attempt).run()
        }
    }
}
