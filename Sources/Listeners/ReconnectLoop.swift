import ChatModel
import Logging

/// Connects again and again until it is told to stop; what a connection is, `attempt` knows.
struct ReconnectLoop {
    /// What became of one attempt.
    enum Attempt: Sendable, Hashable {
        /// We were told to stop, or may not go on.
        case over
        /// There was no connection, or there is none any more after it `lived` so long. For people: `detail`.
        case failed(detail: String, lived: Duration?)
    }

    let sink: any EventSink
    let stop: Signal
    let clock: any Clock<Duration>
    let wallClock: @Sendable () -> Timestamp
    let reporter: Reporter
    let logger: Logger
    var backoff: Backoff
    var random: any RandomNumberGenerator & Sendable

    mutating func run(_ attempt: () async -> Attempt) async {
        while !stop.isSet, !Task.isCancelled {
            reporter.connecting()
            guard case .failed(let detail, let lived) = await attempt(), !stop.isSet else { return }
            await wait(detail: detail, lived: lived)
        }
    }

    private mutating func wait(detail: String, lived: Duration?) async {
        let delay = backoff.next(afterLiving: lived, using: &random)
        let failures = backoff.failures
        let nextTry = wallClock().advanced(by: delay)
        reporter.waiting(until: nextTry, error: detail)
        logger.info(
            "not connected", metadata: ["reason": "\(detail)", "failures": "\(failures)", "wait": "\(delay)"])
        await stop.cancelling { [sink, clock] in
            // It throws only when cancelled, and then the sleep ends at once.
            _ = try? await sink.append([.waiting(attempts: failures, nextTry: nextTry)])
            try? await clock.sleep(for: delay)
        }
    }
}
