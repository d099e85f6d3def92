package import ChatModel
import Logging
import Synchronization

/// Keeps one account connected until a stop is requested, by one ``SessionAttempt`` after the other with waits between
/// them.
///
/// The listener makes each attempt. The loop handles only the outcomes, which are values.
package final class SessionLoop: Sendable {
    /// The outcome of one attempt.
    package enum Outcome: Sendable, Hashable {
        /// A stop was requested.
        case stopped
        /// There was no connection, or it ended after `uptime`. The next attempt follows after the usual wait, or after
        /// `pause` if the server wants a longer one. `detail` is for people.
        case failed(detail: String, uptime: Duration? = nil, pause: Duration = .zero)
        /// The server refused the login, which may pass. `advice`, for people, is what to do when it does not.
        case refused(detail: String, advice: String)
        /// Only a person can correct the login, and no attempt is made before that. `detail` is for people.
        case needsLogin(detail: String)
    }

    private let currentConfiguration: @Sendable () -> any ListenerConfiguration
    private let configure: @Sendable (any ListenerConfiguration) -> Void
    package let sink: any EventSink
    package let state: any ListenerState
    package let tools: ListenerTools
    package let reporter: Reporter
    package let stop = Signal()
    /// The account's clock, which continues from one session to the next.
    let receipts = Mutex(ReceiptClock(last: nil))

    /// - Parameter watched: The configuration, which changes with every one of its type that
    ///   ``run(_:send:loginChanged:_:)`` receives.
    package init<Configuration: ListenerConfiguration>(
        _ watched: WatchedValue<Configuration>, _ tools: ListenerTools, into sink: any EventSink,
        state: any ListenerState,
        report: @escaping @Sendable (ListenerReport) -> Void
    ) {
        currentConfiguration = { watched.value }
        configure = { ($0 as? Configuration).map(watched.change) }
        (self.sink, self.state, self.tools) = (sink, state, tools)
        reporter = Reporter(wallClock: { tools.readClocks().wall }, report: report)
    }

    /// The present configuration.
    package var configuration: any ListenerConfiguration { currentConfiguration() }

    /// Runs the loop. Returns after ``ListenerInput/stop`` or the end of `inputs`, or if the task is cancelled.
    ///
    /// - Parameters:
    ///   - send: Sends a person's message. Returns nil if it is on its way, otherwise the reason why not.
    ///   - loginChanged: Returns when the login has changed, or if the task is cancelled.
    ///   - attempt: Makes one attempt. A stop cancels it while it has no session.
    package func run(
        _ inputs: AsyncStream<ListenerInput>,
        send: @escaping @Sendable (String) -> String? = { _ in "not sent: scrollback only listens on this network" },
        loginChanged: @escaping @Sendable () async -> Void,
        _ attempt: @escaping @Sendable (SessionAttempt) async -> Outcome
    ) async {
        let start = Signal()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [stop, reporter, configure] in
                inputs: for await input in inputs {
                    switch input {
                    case .start: start.set()
                    case .stop: break inputs
                    case .send(let text): reporter.noteError(send(text))
                    case .configure(let configuration): configure(configuration)
                    }
                }
                stop.set()
            }
            await stop.cancelling { await start.wait() }
            await stayConnected(loginChanged, attempt)
            group.cancelAll()
        }
        reporter.offline()
    }

    private func stayConnected(
        _ loginChanged: @escaping @Sendable () async -> Void,
        _ attempt: @escaping @Sendable (SessionAttempt) async -> Outcome
    ) async {
        var backoff = Backoff(limits: configuration.backoff)
        var refusals = LoginRefusals()
        var random = tools.random
        while !stop.isSet, !Task.isCancelled {
            await waitForTurn(using: &random)
            guard !stop.isSet else { return }
            reporter.connecting()
            let outcome = await SessionAttempt(loop: self).run(attempt)
            guard !stop.isSet else { return }
            switch outcome {
            case .stopped:
                return
            case .failed(let detail, let uptime, let pause):
                if uptime != nil { refusals = LoginRefusals() }
                let later = spread(pause, using: &random)
                let delay = max(later, backoff.next(afterUptime: uptime, using: &random))
                await wait(delay, after: backoff.failures, detail: detail)
            case .refused(let detail, let advice):
                if let delay = refusals.next(attempts: configuration.loginAttempts, using: &random) {
                    await wait(delay, after: refusals.count, detail: "\(detail); \(advice)", until: loginChanged)
                } else {
                    let times = refusals.count == 1 ? "" : ", \(refusals.count) times"
                    await waitForPerson("\(detail)\(times); \(advice)", loginChanged)
                    refusals = LoginRefusals()
                }
            case .needsLogin(let detail): await waitForPerson(detail, loginChanged)
            }
        }
    }

    /// Returns a longer pause for an account whose server counts connections, so that accounts that were refused
    /// together do not come back together.
    private func spread(_ pause: Duration, using random: inout some RandomNumberGenerator) -> Duration {
        guard pause > .zero, let server = configuration.pacedServer else { return pause }
        tools.pace.slow(server)
        return pause + .microseconds(Int64.random(in: 0...pause.microseconds / 2, using: &random))
    }

    private func waitForPerson(_ detail: String, _ loginChanged: @escaping @Sendable () async -> Void) async {
        tools.logger.error("can't log in", metadata: ["reason": "\(detail)"])
        reporter.needsLogin(error: detail)
        await stop.cancelling { await loginChanged() }
    }

    /// Waits for the turn to connect to a server that several accounts have.
    private func waitForTurn(using random: inout some RandomNumberGenerator) async {
        guard let server = configuration.pacedServer else { return }
        let clocks = tools.readClocks()
        let delay = tools.pace.take(server, by: ObjectIdentifier(self), now: clocks.steady, using: &random)
        guard delay > .zero else { return }
        reporter.waiting(until: clocks.wall.advanced(by: delay), error: nil)
        await stop.cancelling { [tools] in try? await tools.clock.sleep(for: delay) }
    }

    /// - Parameter isOver: Returns when the wait ends before its time; nil for a wait that does not.
    private func wait(
        _ delay: Duration, after failures: Int, detail: String, until isOver: (@Sendable () async -> Void)? = nil
    ) async {
        let nextTry = tools.readClocks().wall.advanced(by: delay)
        reporter.waiting(until: nextTry, error: detail)
        tools.logger.warning(
            "not connected", metadata: ["reason": "\(detail)", "failures": "\(failures)", "wait": "\(delay.rounded)"])
        await stop.cancelling { [sink, tools] in
            // An error means a cancellation, which also ends the sleep at once.
            _ = try? await sink.append([.waiting(attempts: failures, nextTry: nextTry)])
            guard let isOver else { return (try? await tools.clock.sleep(for: delay)) ?? () }
            await within(delay, of: tools.clock, isOver)
        }
    }
}
