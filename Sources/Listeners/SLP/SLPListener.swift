package import ChatModel
package import Logging
package import NIOCore

/// Archives the account's rooms of a workspace service: receives over Socket.IO, fetches history over HTTP, and
/// connects again whenever the connection is lost.
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

    /// The present configuration.
    var configuration: SLPListenerConfiguration { live.value }

    package var counter: (any UnreadCounter)? { lent }

    /// - Parameters:
    ///   - attachments: Stores files; nil to fetch none, not even on request.
    ///   - traffic: Counts the bytes received.
    ///   - clock: Measures waits; monotonic, so not the wall clock.
    ///   - readClocks: Gives the times of receipt.
    ///   - logger: Has the account in its metadata.
    package init(
        _ configuration: SLPListenerConfiguration, attachments: (any AttachmentStore)? = nil, group: any EventLoopGroup,
        traffic: Traffic? = nil,
        clock: any Clock<Duration> = ContinuousClock(), readClocks: @escaping @Sendable () -> ClockReading = { .now() },
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), logger: Logger
    ) {
        live = Live(configuration)
        (self.attachments, self.group, self.traffic, self.clock) = (attachments, group, traffic, clock)
        (self.readClocks, self.random, self.logger) = (readClocks, random, logger)
    }

    /// Stops when `inputs` ends. An account whose login is refused waits until its credentials or tokens change.
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
