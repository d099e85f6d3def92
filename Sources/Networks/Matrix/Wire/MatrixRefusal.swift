import FoundationEssentials

/// The error of an answer (client-server API v1.11, 2.2).
package struct MatrixRefusal: Sendable, Hashable {
    package var status: Int
    /// The code, such as `M_FORBIDDEN`; nil if the answer has none, as that of a proxy.
    package var code: String?
    /// The server's words, for people; at most ``maximumWords`` bytes.
    package var words: String?
    /// The time to wait; nil if the server does not say.
    package var retryAfter: Duration?
    /// True if the token has expired, and the device may log in again.
    package var isSoftLogout: Bool

    /// The limit of bytes of an answer that is read for its error.
    package static let bodyBytes = 64 * 1024
    private static let maximumWords = 200
    /// The longest wait that a server may ask for.
    private static let longestWait = Duration.seconds(3600)

    private struct Body: Decodable {
        var errcode: String?
        var error: String?
        var retry_after_ms: Int64?
        var soft_logout: Bool?
    }

    /// - Parameter retryAfter: The header `Retry-After`, in seconds; nil without one.
    package init(status: Int, body: [UInt8], retryAfter header: String? = nil) {
        self.status = status
        let read = try? JSONDecoder().decode(Body.self, from: Data(body))
        code = read?.errcode.map { String($0.prefix(64)) }
        words = read?.error.map { String(decoding: Array($0.utf8.prefix(Self.maximumWords)), as: UTF8.self) }
        let wait =
            read?.retry_after_ms.map { Duration.milliseconds(max(0, $0)) }
            ?? header.flatMap { Int64($0) }.map { Duration.seconds(max(0, min($0, 86_400))) }
        self.retryAfter = wait.map { min($0, Self.longestWait) }
        isSoftLogout = read?.soft_logout ?? false
    }

    /// The reaction of a client to a refusal.
    package enum Reaction: Sendable {
        /// Wait, and repeat the call.
        case wait, retry
        /// Get another token.
        case logIn
        /// Only a person can help.
        case stop
        /// The room or the event can't be read.
        case forbidden
        /// The call itself can't succeed.
        case record
    }

    package var reaction: Reaction {
        switch (code, status) {
        case ("M_LIMIT_EXCEEDED"?, _), (_, 429): .wait
        case ("M_UNKNOWN_TOKEN"?, _), ("M_MISSING_TOKEN"?, _): .logIn
        case ("M_USER_DEACTIVATED"?, _), ("M_USER_LOCKED"?, _), ("M_USER_SUSPENDED"?, _): .stop
        case ("M_FORBIDDEN"?, _), ("M_NOT_FOUND"?, _), ("M_GUEST_ACCESS_FORBIDDEN"?, _): .forbidden
        case (_, 500...), (nil, 408), (nil, 409): .retry
        case (_, 401): .logIn
        default: .record
        }
    }

    /// The refusal for people.
    package var text: String {
        let code = code ?? "status \(status)"
        return words.map { "\(code): \($0)" } ?? code
    }
}
