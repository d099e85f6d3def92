import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import SLPWire

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
        case failed(SLPError)
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
    /// - Throws: ``SLPError`` after the last attempt, `CancellationError`.
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
                logger.debug("retrying a call", metadata: ["reason": "\(error.detail)", "wait": "\(wait)"])
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
            return .failed(SLPError(error, at: configuration.server))
        }
    }

    private func refused<Value>(_ response: HTTPClientResponse, _ turn: SLPPace.Turn) async throws -> Try<Value> {
        let body = HTTPBody(
            response, idle: configuration.limits.idle, clock: clock, traffic: traffic, failure: SLPError.init)
        let refusal = SLPRefusal(
            status: Int(response.status.code), body: try await body.beginning(SLPRefusal.bodyBytes))
        switch refusal.reaction {
        case .slowDown:
            pace.slowDown(turn)
            logger.info("too many calls: slowing down", metadata: ["interval": "\(pace.interval)"])
            return .failed(SLPError(refusal))
        case .retry: return .failed(SLPError(refusal))
        default:
            pace.succeeded()
            return .over(.refused(refusal))
        }
    }
}

extension SLPError {
    /// True if the same call may succeed a little later.
    fileprivate var isTemporary: Bool {
        code == .unavailable || code == .tooManyCalls || code == .cut
    }

    init(_ error: HTTPBodyError) {
        switch error {
        case .cut: self.init(code: .cut, detail: error.detail)
        case .tooLarge: self.init(code: .tooLarge, detail: error.detail)
        }
    }

    /// Reads an error from below HTTP.
    init(_ error: any Error, at server: SLPOrigin) {
        let origin = server.origin
        switch error {
        case let error as SLPError: self = error
        case let error as HTTPClientError where Self.isLate(error):
            self.init(code: .unavailable, detail: "\(origin) does not answer in time")
        case let error as HTTPClientError where error == .remoteConnectionClosed:
            self.init(code: .unavailable, detail: "\(origin) broke the connection")
        case NIOSSLError.uncleanShutdown:
            self.init(code: .unavailable, detail: "\(origin) broke the connection")
        default:
            if let failure = TLSFailure(error, isPinned: false) {
                self.init(code: .untrusted, detail: failure.detail(peer: origin, trust: "ca_file"))
            } else {
                self.init(code: .unavailable, detail: ConnectionError(error, peer: origin).detail)
            }
        }
    }

    private static func isLate(_ error: HTTPClientError) -> Bool {
        [.deadlineExceeded, .connectTimeout, .tlsHandshakeTimeout].contains(error)
    }
}
