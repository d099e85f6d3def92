import ChatModel
import Logging
import Synchronization

/// Keeps one account connected until a stop is requested, by one ``SessionAttempt`` after the other with waits between
/// them.
///
/// The listener makes each attempt. The loop handles only the outcomes, which are values.
final class SessionLoop: Sendable {
    /// The outcome of one attempt.
    enum Outcome: Sendable, Hashable {
        /// A stop was requested.
        case stopped
        /// There was no connection, or it ended after `uptime`. The next attempt follows after the usual wait, or after
        /// `pause` if the server wants a longer one. `detail` is for people.
        case failed(detail: String, uptime: Duration? = nil, pause: Duration = .zero)
        /// Only a person can correct the login, and no attempt is made before that. `detail` is for people.
        case needsLogin(detail: String)
    }

    private let currentConfiguration: @Sendable () -> any ListenerConfiguration
    private let configure: @Sendable (any ListenerConfiguration) -> Void
    let sink: any EventSink
    let state: any ListenerState
    let tools: ListenerTools
    let reporter: Reporter
    let stop = Signal()
    /// The account's clock, which continues from one session to the next.
    let receipts = Mutex(ReceiptClock(last: nil))

    /// - Parameter watched: The configuration, which changes with every one of its type that
    ///   ``run(_:send:loginChanged:_:)`` receives.
    init<Configuration: ListenerConfiguration>(
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
    var configuration: any ListenerConfiguration { currentConfiguration() }

    /// Runs the loop. Returns after ``ListenerInput/stop`` or the end of `inputs`, or if the task is cancelled.
    ///
    /// - Parameters:
    ///   - send: Sends a person's message. Returns nil if it is on its way, otherwise the reason why not.
    ///   - loginChanged: Returns when the login has changed, or if the task is cancelled.
    ///   - attempt: Makes one attempt. A stop cancels it while it has no session.
    func run(
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
        var random = tools.random
        while !stop.isSet, !Task.isCancelled {
            reporter.connecting()
            let outcome = await SessionAttempt(loop: self).run(attempt)
            guard !stop.isSet else { return }
            switch outcome {
            case .stopped:
                return
            case .failed(let detail, let uptime, let pause):
                let delay = max(pause, backoff.next(afterUptime: uptime, using: &random))
                await wait(delay, after: backoff.failures, detail: detail)
            case .needsLogin(let detail):
                tools.logger.error("can't log in", metadata: ["reason": "\(detail)"])
                reporter.needsLogin(error: detail)
                await stop.cancelling { await loginChanged() }
            }
        }
    }

    private func wait(_ delay: Duration, after failures: Int, detail: String) async {
        let nextTry = tools.readClocks().wall.advanced(by: delay)
        reporter.waiting(until: nextTry, error: detail)
        tools.logger.warning(
            "not connected", metadata: ["reason": "\(detail)", "failures": "\(failures)", "wait": "\(delay)"])
        await stop.cancelling { [sink, tools] in
            // An error means a cancellation, which also ends the sleep at once.
            _ = try? await sink.append([.waiting(attempts: failures, nextTry: nextTry)])
            try? await tools.clock.sleep(for: delay)
        }
    }
}
