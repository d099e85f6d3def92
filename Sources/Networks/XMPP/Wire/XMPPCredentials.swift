import Crypto
import SASL

/// The credentials of an account. No description shows any of them.
package struct XMPPCredentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The part of the address before the `@`.
    package var user: String
    /// Nil for an account that has only a certificate.
    package var password: String?
    /// True to log in with the certificate of the TLS connection.
    package var hasCertificate: Bool
    /// A new text for each connection, visible ASCII without a comma, from at least 18 random bytes.
    package var nonce: String
    /// True to send the password as it is to a server that has nothing better, because TLS hides it.
    package var allowsPlain: Bool

    package init(user: String, password: String?, hasCertificate: Bool, nonce: String, allowsPlain: Bool) {
        (self.user, self.password, self.hasCertificate) = (user, password, hasCertificate)
        (self.nonce, self.allowsPlain) = (nonce, allowsPlain)
    }

    package var description: String { "credentials" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A login by one mechanism of SASL.
enum SASLMechanism: Sendable {
    case plain(user: String, password: String)
    case external
    case sha1(ScramExchange<Insecure.SHA1>)
    case sha256(ScramExchange<SHA256>)

    /// Returns the best mechanism that the server offers; nil if the account can use none of them.
    static func choose(_ credentials: XMPPCredentials, among offered: Set<String>) -> (name: String, Self)? {
        // Servers offer it to clients without a certificate, too (ejabberd 23.01).
        if credentials.hasCertificate, offered.contains("EXTERNAL") { return ("EXTERNAL", .external) }
        guard let password = credentials.password else { return nil }
        let (user, nonce) = (credentials.user, credentials.nonce)
        if offered.contains("SCRAM-SHA-256") {
            return ("SCRAM-SHA-256", .sha256(ScramExchange(user: user, password: password, nonce: nonce)))
        }
        if offered.contains("SCRAM-SHA-1") {
            return ("SCRAM-SHA-1", .sha1(ScramExchange(user: user, password: password, nonce: nonce)))
        }
        guard credentials.allowsPlain, offered.contains("PLAIN") else { return nil }
        return ("PLAIN", .plain(user: user, password: password))
    }

    /// True if the server has nothing more to prove.
    var isFinished: Bool {
        switch self {
        case .plain, .external: true
        case .sha1(let exchange): exchange.isFinished
        case .sha256(let exchange): exchange.isFinished
        }
    }

    /// Returns the answer to a challenge; the first one is empty.
    mutating func respond(to challenge: [UInt8]) throws(LoginFailure) -> [UInt8] {
        switch self {
        case .plain(let user, let password): return [0] + Array(user.utf8) + [0] + Array(password.utf8)
        case .external: return []
        case .sha1(var exchange):
            defer { self = .sha1(exchange) }
            return try Self.respond(to: challenge, &exchange)
        case .sha256(var exchange):
            defer { self = .sha256(exchange) }
            return try Self.respond(to: challenge, &exchange)
        }
    }

    private static func respond<Hash>(
        to challenge: [UInt8], _ exchange: inout ScramExchange<Hash>
    ) throws(LoginFailure) -> [UInt8] {
        do throws(ScramFailure) { return try exchange.respond(to: challenge) } catch { throw LoginFailure(error) }
    }
}
