/// How an account authenticates. Nothing of it shows in a description.
package enum SASLCredentials: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    case plain(user: String, password: String)
    /// By the TLS client certificate.
    case external
    /// `nonce` is new for each connection, visible ASCII without a comma, of at least 18 random bytes.
    case scramSHA256(user: String, password: String, nonce: String)

    package var mechanism: String {
        switch self {
        case .plain: "PLAIN"
        case .external: "EXTERNAL"
        case .scramSHA256: "SCRAM-SHA-256"
        }
    }

    package var description: String { "SASL \(mechanism)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
