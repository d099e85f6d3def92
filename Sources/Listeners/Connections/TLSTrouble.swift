import NIOSSL

/// Why there is no TLS connection to a peer that was reached.
enum TLSTrouble: Sendable, Hashable {
    /// The certificate is for other names.
    case wrongName
    /// The certificate names no host but in its common name.
    case noName
    /// The host has characters that no certificate has in its names.
    case impossibleName
    /// The peer speaks no version of TLS that is safe.
    case oldVersion
    /// No trusted authority vouches for the certificate, or not at this time.
    case untrusted
    /// The certificate is not the one that is pinned.
    case wrongFingerprint
    /// What the peer sends is not TLS.
    case noTLS
    /// In BoringSSL's words.
    case other(String)

    /// What BoringSSL says of a first record that is no TLS; the first bytes of HTTP have names of their own.
    private static let plainText = ["WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST"]
    /// What it says where the peer wants an older version than we do, or refuses ours.
    private static let oldVersions = ["UNSUPPORTED_PROTOCOL", "ALERT_PROTOCOL_VERSION"]

    /// - Parameter isPinned: Whether one certificate is trusted, and no authority.
    /// - Returns: nil for an error that is not of TLS.
    init?(_ error: any Error, isPinned: Bool) {
        switch error {
        case let error as NIOSSLExtraError where error == .failedToValidateHostname: self = .wrongName
        case let error as NIOSSLExtraError
        where [.serverHostnameImpossibleToMatch, .invalidSNIHostname].contains(error): self = .impossibleName
        case let error as WrongCertificateName: self = error.isNameless ? .noName : .wrongName
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            let words = String(describing: error)
            if words.contains("CERTIFICATE_VERIFY_FAILED") {
                self = isPinned ? .wrongFingerprint : .untrusted
            } else if Self.oldVersions.contains(where: words.contains) {
                self = .oldVersion
            } else if Self.plainText.contains(where: words.contains) {
                self = .noTLS
            } else {
                self = .other(words)
            }
        default: return nil
        }
    }

    /// - Parameters:
    ///   - peer: Host and port.
    ///   - trust: Keys of the configuration that say whom to trust.
    func sentence(peer: String, trust: String) -> String {
        let reason =
            switch self {
            case .wrongName: "its certificate is for another name; use the name that the certificate is for as server"
            case .noName:
                "its certificate has its name in the common name alone, which proves nothing; the server needs a certificate "
                    + "with its name as a subjectAltName"
            case .impossibleName:
                "no certificate can be for such a name; use its ASCII form (xn--…) as server, with letters, digits and hyphens"
            case .oldVersion:
                "it speaks TLS 1.1 or older, which is not safe; the server has to offer TLS 1.2 or later"
            case .untrusted:
                "no authority that this machine trusts vouches for its certificate, or the certificate is not valid now "
                    + "(expired, or the clock of this machine is wrong); if the certificate is right, set \(trust)"
            case .wrongFingerprint:
                "its certificate is not the one of fingerprint; if the server has a new certificate, set fingerprint to its "
                    + "SHA-256"
            case .noTLS: "it does not speak TLS on this port; set the port that does"
            case .other(let words): words
            }
        return "there is no secure connection to \(peer): \(reason)"
    }
}
