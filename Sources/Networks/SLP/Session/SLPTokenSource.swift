import AsyncHTTPClient
import FoundationEssentials
import Logging
import SLPWire
import Sessions
import Synchronization

/// Gets an account's tokens from the service, one call at a time.
final class SLPTokenSource: Sendable {
    /// The way to get tokens: with the refresh token, or by a new login.
    enum Kind: Sendable { case refresh, login }

    private let transport: SLPTransport
    private let stopwatch: Stopwatch
    /// The time of the last login, by the stopwatch.
    private let loggedInAt = Mutex<Duration?>(nil)

    init(transport: SLPTransport) {
        self.transport = transport
        stopwatch = Stopwatch(transport.clock)
    }

    func tokens(by kind: Kind, after old: SLPTokens?) async throws -> SLPTokens {
        kind == .refresh ? try await refreshed(old) : try await loggedIn()
    }

    private func refreshed(_ old: SLPTokens?) async throws -> SLPTokens {
        guard let old else { return try await loggedIn() }
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
        let configuration = transport.configuration
        guard let password = configuration.credentials.password else {
            throw CallError(
                code: .needsLogin, detail: "the login has expired; configure a password to log in again")
        }
        let interval = configuration.limits.loginInterval
        if let loggedInAt = loggedInAt.withLock(\.self), stopwatch.elapsed - loggedInAt < interval {
            throw CallError(
                code: .unavailable,
                detail: "the server does not accept the token of a login \(interval.rounded) ago or less")
        }
        let body = try JSONEncoder().encode(["email": configuration.credentials.email, "password": password])
        let call = SLPCall(route: .login, body: Array(body))
        switch try await transport.answer(to: call, read: { try await self.read(SLPLoginAnswer.self, $0) }) {
        case .value(let answer):
            transport.logger.info("logged in")
            loggedInAt.withLock { $0 = stopwatch.elapsed }
            return answer.tokens
        case .refused(let refusal): throw CallError(refusal)
        }
    }

    private func read<Value: Decodable>(_: Value.Type, _ response: HTTPClientResponse) async throws -> Value {
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
}
