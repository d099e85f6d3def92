import NIOSSL

/// The reason why there is no TLS connection to a peer that answered.
package enum TLSFailure: Sendable, Hashable {
    /// The certificate is for other names.
    case wrongName
    /// The certificate names a host only in its common name.
    case noName
    /// The host's name has characters that no name in a certificate can have.
    case impossibleName
    /// The peer supports no safe version of TLS.
    case oldVersion
    /// No trusted authority signed the certificate, or it is not valid at this time.
    case untrusted
    /// The certificate is not the pinned one.
    case wrongFingerprint
    /// The peer sends something other than TLS.
    case noTLS
    /// The peer closed the connection before TLS was agreed on, as servers do that wait for plain text.
    case closed
    /// Any other error, in BoringSSL's words.
    case other(String)

    /// BoringSSL's words for a first record that is not TLS. It has separate words for the first bytes of HTTP.
    private static let plainText = ["WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST"]
    /// NIOSSL's words if the connection ended in the handshake.
    private static let ended = "EOF during handshake"
    /// BoringSSL's words if the peer wants an older version than we allow, or refuses ours.
    private static let oldVersions = ["UNSUPPORTED_PROTOCOL", "ALERT_PROTOCOL_VERSION"]

    /// - Parameter isPinned: True if a single certificate is trusted, and no authority.
    /// - Returns: Nil for an error that TLS did not cause.
    package init?(_ error: any Error, isPinned: Bool) {
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
            } else if words.contains(Self.ended) {
                self = .closed
            } else {
                self = .other(words)
            }
        default: return nil
        }
    }

    /// Returns the reason for people, with a remedy.
    ///
    /// - Parameters:
    ///   - peer: Host and port.
    ///   - trust: The keys of the configuration for trusted certificates.
    package func detail(peer: String, trust: String) -> String {
        let reason =
            switch self {
            case .wrongName: "its certificate is for another name; set server to the name in the certificate"
            case .noName:
                "its certificate has the name only as the common name, which is not safe; the server needs a "
                    + "certificate with the name as a subjectAltName"
            case .impossibleName:
                "a certificate can't have such a name; set server to its ASCII form (xn--…), with letters, digits and "
                    + "hyphens"
            case .oldVersion:
                "it speaks TLS 1.1 or older, which is not safe; the server must offer TLS 1.2 or later"
            case .untrusted:
                "its certificate is not signed by an authority that this machine trusts, or is not valid now "
                    + "(expired, or the clock of this machine is wrong); if the certificate is right, set \(trust)"
            case .wrongFingerprint:
                "its certificate does not match fingerprint; if the server has a new certificate, set fingerprint to its "
                    + "SHA-256"
            case .noTLS: "this port does not speak TLS; set the port that does"
            case .closed:
                "the server closed the connection during the handshake; does the port speak TLS? "
                    + "(usual: 6697 for IRC, 443 for HTTPS)"
            case .other(let words): words
            }
        return "no secure connection to \(peer): \(reason)"
    }
}
