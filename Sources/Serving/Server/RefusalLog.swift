import HTTPTypes
import Logging
import Settings

/// Logs requests that the server refused or could not answer: the reason, the peer and the route. Never logs an address,
/// a query, a header or a body, which may have secrets.
///
/// The log limits the lines of one reason (`LogLimiter`), so that nobody fills it.
struct RefusalLog: Sendable {
    let logger: Logger

    /// The key of the reason, by which the log limits the lines.
    static let reason = LogLimiter.reason

    /// The statuses of refusals. Others say that something is not there, or is asked for in a wrong way.
    private static let statuses: Set<Int> = [401, 403, 413, 414, 421, 429]

    /// Returns true for a refusal and for a request that failed.
    static func logs(_ problem: Problem) -> Bool {
        statuses.contains(problem.status.code) || problem.status.code >= 500 || problem.code == "address"
    }

    /// - Parameters:
    ///   - reason: The reason; nil for the problem's code.
    ///   - peer: The IP address of the client; nil if it is unknown.
    ///   - facts: The method and the route, and the token's name if it is known.
    func note(_ problem: Problem, reason: String? = nil, peer: String?, _ facts: Logger.Metadata = [:]) {
        var metadata = facts
        metadata[Self.reason] = "\(reason ?? problem.code)"
        metadata["status"] = "\(problem.status.code)"
        metadata["peer"] = peer.map { "\($0)" }
        guard problem.status.code >= 500 else { return logger.info("request refused", metadata: metadata) }
        metadata["error"] = "\(problem.cause ?? problem.detail)"
        logger.warning("a request failed", metadata: metadata)
    }
}
