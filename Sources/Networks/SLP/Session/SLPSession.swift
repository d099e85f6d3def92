import AsyncHTTPClient
import FoundationEssentials
import Logging
import SLPWire
import Sessions

/// The tokens of one account, which come from a login, are renewed by one call at a time, and are kept in a file.
///
/// ``run()`` makes the renewals in a child task of the caller, so nothing continues after ``close()``.
actor SLPSession {
    private let transport: SLPTransport
    private let credentials: SLPCredentials
    private let file: LoginFile<SLPTokens>?
    private let logger: Logger
    private var tokens: SLPTokens?
    private let stopwatch: Stopwatch
    /// The time of the last login, by the stopwatch.
    private var loggedInAt: Duration?
    /// The renewal in progress.
    private var renewal: SLPRenewal?
    private let renewals = AsyncStream<SLPRenewal>.makeStream()
    private let isClosed = Signal()
    /// The error that stopped the account. Another login would fail again, or lock the account.
    private var stopError: CallError?

    init(transport: SLPTransport) {
        let configuration = transport.configuration
        self.transport = transport
        credentials = configuration.credentials
        file = configuration.tokenFile
        logger = transport.logger
        stopwatch = Stopwatch(transport.clock)
        tokens = file?.read()
    }

    /// Returns the token for a call. Logs in if there is none yet.
    func access() async throws -> String {
        if let stopError { throw stopError }
        if let tokens { return tokens.access }
        return try await renewed(.login)
    }

    /// Returns a token after `used` was refused: the one of another call's renewal, or a new one.
    func access(after used: String, by kind: SLPRenewal.Kind) async throws -> String {
        if let stopError { throw stopError }
        if let tokens, tokens.access != used { return tokens.access }
        return try await renewed(kind)
    }

    func stop(_ error: CallError) {
        stopError = error
    }

    /// Makes the requested renewals, until ``close()`` or until the task is cancelled.
    func run() async {
        await isClosed.cancelling { await self.renewAll() }
        isClosed.set()
        renewal?.end(.failure(CancellationError()))
    }

    /// Ends a renewal in progress, even a login, and prevents others.
    nonisolated func close() {
        isClosed.set()
    }

    private func renewAll() async {
        for await renewal in renewals.stream {
            let result: Result<SLPTokens, any Error>
            do {
                result = .success(try await renew(renewal.kind))
            } catch {
                result = .failure(error)
            }
            self.renewal = nil
            renewal.end(result)
        }
    }

    private func renewed(_ kind: SLPRenewal.Kind) async throws -> String {
        try Task.checkCancellation()
        guard !isClosed.isSet else { throw CancellationError() }
        let renewal = self.renewal ?? begin(kind)
        return try await renewal.tokens().access
    }

    private func begin(_ kind: SLPRenewal.Kind) -> SLPRenewal {
        let new = SLPRenewal(kind)
        renewal = new
        renewals.continuation.yield(new)
        return new
    }

    private func renew(_ kind: SLPRenewal.Kind) async throws -> SLPTokens {
        do {
            let new = kind == .refresh ? try await refreshed() : try await loggedIn()
            if new != tokens { await keep(new) }
            return new
        } catch let error as CallError where error.code == .accountStopped || error.code == .needsLogin {
            stopError = error
            throw error
        }
    }

    private func refreshed() async throws -> SLPTokens {
        guard let old = tokens else { return try await loggedIn() }
        let call = SLPCall(route: .refresh, access: old.access, refresh: old.refresh)
        switch try await transport.answer(to: call, read: { try await self.read(SLPRefreshAnswer.self, $0) }) {
        case .value(let answer): return SLPTokens(access: answer.accessToken, refresh: old.refresh)
        case .refused(let refusal):
            switch refusal.reaction {
            case .keepToken: return old
            case .stopAccount: throw CallError(refusal)
            default: return try await loggedIn()
            }
        }
    }

    private func loggedIn() async throws -> SLPTokens {
        guard let password = credentials.password else {
            throw CallError(
                code: .needsLogin, detail: "the login has expired; configure a password to log in again")
        }
        let interval = transport.configuration.limits.loginInterval
        if let loggedInAt, stopwatch.elapsed - loggedInAt < interval {
            throw CallError(
                code: .unavailable,
                detail: "the server does not accept the token of a login \(interval.rounded) ago or less")
        }
        let body = try JSONEncoder().encode(["email": credentials.email, "password": password])
        let call = SLPCall(route: .login, body: Array(body))
        switch try await transport.answer(to: call, read: { try await self.read(SLPLoginAnswer.self, $0) }) {
        case .value(let answer):
            logger.info("logged in")
            loggedInAt = stopwatch.elapsed
            return answer.tokens
        case .refused(let refusal): throw CallError(refusal)
        }
    }

    private nonisolated func read<Value: Decodable>(_: Value.Type, _ response: HTTPClientResponse) async throws -> Value
    {
        let limits = transport.configuration.limits
        let body = HTTPBody(
            response, limit: SLPRefusal.bodyBytes * 4, idle: limits.idle, clock: transport.clock,
            traffic: transport.traffic, failure: CallError.init)
        let bytes = try await body.whole()
        // The decoder's error may contain the decoded text, and so a token.
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(bytes)) else {
            throw CallError(code: .unexpected, detail: "the answer to a login has no tokens")
        }
        return value
    }

    private func keep(_ new: SLPTokens) async {
        tokens = new
        await file?.keep(new, logger)
    }
}
