import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1
import SLPWire
import Sessions

/// Sends calls at the account's pace, and retries them if the server fails. Does not handle tokens.
struct SLPTransport: Sendable {
    enum Answer<Value> {
        case value(Value)
        /// A refusal that repeating the call would not change.
        case refused(SLPRefusal)
    }

    /// The outcome of one attempt.
    private enum Try<Value> {
        case over(Answer<Value>)
        case failed(CallError)
    }

    let http: HTTPClient
    let configuration: SLPConfiguration
    let pace: SLPPace
    let serverClock: SLPServerClock
    let traffic: Traffic?
    let clock: any Clock<Duration>
    let logger: Logger

    /// Makes a call, with further attempts if the server fails.
    ///
    /// - Parameter read: Reads a successful answer. If it throws, the call is retried.
    /// - Throws: ``CallError`` after the last attempt, `CancellationError`.
    func answer<Value>(
        to call: SLPCall, read: (HTTPClientResponse) async throws -> Value
    ) async throws -> Answer<Value> {
        var backoff = Backoff(limits: configuration.limits.backoff)
        var random = SystemRandomNumberGenerator()
        while true {
            let turn = try await pace.turn()
            switch try await attempt(call, turn, read: read) {
            case .over(let answer): return answer
            case .failed(let error):
                let wait = backoff.next(afterUptime: nil, using: &random)
                guard backoff.failures < configuration.limits.tries, error.isTemporary else { throw error }
                logger.debug("retrying a call", metadata: ["reason": "\(error.detail)", "wait": "\(wait.rounded)"])
                // The pace itself waits after too many calls.
                if error.code != .tooManyCalls { try await clock.sleep(for: wait) }
            }
        }
    }

    private func attempt<Value>(
        _ call: SLPCall, _ turn: SLPPace.Turn, read: (HTTPClientResponse) async throws -> Value
    ) async throws -> Try<Value> {
        do {
            let deadline = NIODeadline.now() + TimeAmount(configuration.limits.answer)
            let response = try await http.execute(call.request(configuration), deadline: deadline)
            serverClock.update(from: response.headers)
            guard (200..<300).contains(response.status.code) else { return try await refused(response, turn) }
            let value = try await read(response)
            pace.succeeded()
            return .over(.value(value))
        } catch {
            try Task.checkCancellation()
            return .failed(CallError(error, at: configuration.server))
        }
    }

    private func refused<Value>(_ response: HTTPClientResponse, _ turn: SLPPace.Turn) async throws -> Try<Value> {
        let body = HTTPBody(
            response, idle: configuration.limits.idle, clock: clock, traffic: traffic, failure: CallError.init)
        let refusal = SLPRefusal(
            status: Int(response.status.code), body: try await body.beginning(SLPRefusal.bodyBytes))
        switch refusal.reaction {
        case .slowDown:
            pace.slowDown(turn)
            logger.info("too many calls: slowing down", metadata: ["interval": "\(pace.interval)"])
            return .failed(CallError(refusal))
        case .retry: return .failed(CallError(refusal))
        default:
            pace.succeeded()
            return .over(.refused(refusal))
        }
    }
}
