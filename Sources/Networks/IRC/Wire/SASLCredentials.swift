/// The credentials of an account. No description shows any of them.
package enum SASLCredentials: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    case plain(user: String, password: String)
    /// The TLS client certificate.
    case external
    /// SCRAM-SHA-256. `nonce` must be new for each connection: visible ASCII without a comma, from at least 18 random
    /// bytes.
    case scramSHA256(user: String, password: String, nonce: String)

    /// The name of the SASL mechanism.
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
