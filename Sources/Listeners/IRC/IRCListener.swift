package import ChatModel
package import Logging
import Synchronization

/// Archives an account's rooms of an IRC network: joins them, receives, and joins again whenever the connection is
/// lost.
package struct IRCListener: Listener {
    /// The configuration at first; in the copy that an attempt has, the one as it began.
    private(set) var configuration: IRCConfiguration
    let connector: any Connector
    let clock: any Clock<Duration>
    let readClocks: @Sendable () -> ClockReading
    let random: any RandomNumberGenerator & Sendable
    let logger: Logger
    /// The connection that receives at present.
    let current = Current()

    /// - Parameters:
    ///   - connector: Connects over TLS, or in plain text.
    ///   - clock: Measures waits; monotonic, so not the wall clock.
    ///   - readClocks: Gives the times of receipt.
    ///   - logger: Has the account in its metadata.
    package init(
        _ configuration: IRCConfiguration, connector: any Connector,
        clock: any Clock<Duration> = ContinuousClock(), readClocks: @escaping @Sendable () -> ClockReading = { .now() },
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), logger: Logger
    ) {
        (self.configuration, self.connector, self.clock) = (configuration, connector, clock)
        (self.readClocks, self.random, self.logger) = (readClocks, random, logger)
    }

    /// Stops when `inputs` ends. An account whose login is refused waits until its secrets change.
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
        let live = Live(configuration)
        let login = LoginWatch(
            configuration.secrets, every: configuration.mendInterval, clock: clock,
            current: { live.value.currentSecrets() })
        await loop.run(
            inputs, say: { _ in "not sent: this network is only listened to" },
            configure: { configuration in
                guard let configuration = configuration as? IRCConfiguration else { return }
                live.change(to: configuration)
                loop.bufferBytes = configuration.bufferBytes
            }, mended: login.waitUntilMended
        ) { attempt in
            var listener = self
            listener.configuration = live.value
            listener.configuration.secrets = login.next()
            return await IRCAttempt(listener: listener, live: live, attempt: attempt).run()
        }
    }

    /// Returns `notConnected` while there is no session, and `unsupported` where the server has no history.
    package func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer {
        current.link.withLock { $0 }?.backfill(room, after: after) ?? .notConnected
    }

    final class Current: Sendable {
        let link = Mutex<IRCLink?>(nil)
    }
}
