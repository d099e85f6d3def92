import NIOCore
import NIOSSL

/// The name of a host, which the peer's certificate must have.
///
/// NIOSSL (2.37.6) verifies the chain and the name, but accepts more than it should: a certificate for the resolved
/// address, a common name if there is no other name, and a `*` within a label. So this type compares the name again, by
/// RFC 9525 §6.
struct HostName: Sendable {
    /// The name as given, for the server (SNI).
    let text: String
    /// The labels in lower case, without the dot at the end.
    private let labels: [[UInt8]]

    /// Nil for an IP address.
    init?(_ host: String) {
        guard (try? SocketAddress(ipAddress: host, port: 0)) == nil else { return nil }
        text = host
        labels = Self.labels(of: Array(host.utf8))
    }

    /// Checks that one of the certificate's DNS names is this host's.
    ///
    /// - Throws: ``WrongCertificateName``.
    func verify(_ leaf: NIOSSLCertificate) throws(WrongCertificateName) {
        let alternatives = leaf._subjectAlternativeNames()
        let names = alternatives.filter { $0.nameType == .dnsName }.map { Array($0.contents) }
        guard names.contains(where: isNamed) else { throw WrongCertificateName(isNameless: alternatives.isEmpty) }
    }

    /// Returns true if a name of a certificate is this host's: the same name, or `*.` and all labels but the first.
    func isNamed(by name: [UInt8]) -> Bool {
        let name = Self.labels(of: name)
        guard name.first == Self.wildcard else { return name == labels }
        return name.count > 1 && name.count == labels.count && name.dropFirst() == labels.dropFirst()
            && labels.first?.isEmpty == false
    }

    private static let wildcard = [UInt8(ascii: "*")]

    private static func labels(of name: [UInt8]) -> [[UInt8]] {
        let whole = name.last == UInt8(ascii: ".") ? name.dropLast() : name[...]
        return whole.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { label in
            label.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        }
    }
}

/// The error for a certificate that is not for the named host.
struct WrongCertificateName: Error {
    /// True if the certificate has no alternative names, so that only its common name could be the host's.
    let isNameless: Bool
}
