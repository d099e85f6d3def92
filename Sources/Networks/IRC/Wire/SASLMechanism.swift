import Bytes
import Crypto
import SASL

/// The responses of a mechanism to the server's challenges.
enum SASLMechanism: Sendable {
    /// The response; nil if the credentials can't be written.
    case plain([UInt8]?, isSent: Bool)
    case external(isSent: Bool)
    case scram(ScramExchange<SHA256>)

    init(_ credentials: SASLCredentials) {
        switch credentials {
        case .plain(let user, let password): self = .plain(Self.plain(user, password), isSent: false)
        case .external: self = .external(isSent: false)
        case .scramSHA256(let user, let password, let nonce):
            self = .scram(ScramExchange(user: user, password: password, nonce: nonce))
        }
    }

    /// Returns `[authzid] NUL authcid NUL passwd` (RFC 4616).
    private static func plain(_ user: String, _ password: String) -> [UInt8]? {
        let parts = [Array(user), Array(password)]
        guard parts.allSatisfy({ !$0.isEmpty && !$0.contains(Byte.nul) }) else { return nil }
        return parts.flatMap { [Byte.nul] + $0 }
    }

    /// True if the mechanism has nothing more to send or to verify.
    var isFinished: Bool {
        switch self {
        case .plain(_, let isSent), .external(let isSent): isSent
        case .scram(let exchange): exchange.isFinished
        }
    }

    mutating func respond(to challenge: [UInt8]) throws(SASLFailure) -> [UInt8] {
        switch self {
        case .scram(var exchange):
            defer { self = .scram(exchange) }
            do throws(ScramFailure) { return try exchange.respond(to: challenge) } catch { throw SASLFailure(error) }
        case .plain(_, true), .external(true):
            throw .invalidServer("it asks for more than this mechanism has")
        case .plain(let response, false):
            guard let response else { throw .invalidCredentials("the user or password is empty or has a NUL") }
            self = .plain(nil, isSent: true)
            return response
        case .external(false):
            self = .external(isSent: true)
            return []
        }
    }
}
