package import NIOSSL

/// Certificates of authorities that are trusted besides the machine's own, for servers that nobody else vouches for.
package struct SLPAuthorities: Sendable, Hashable {
    let certificates: [NIOSSLCertificate]

    /// Reads PEM, of one certificate or of several; nil where there is none.
    package init?(pem: [UInt8]) {
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(pem), !certificates.isEmpty else { return nil }
        self.certificates = certificates
    }
}

extension TLSConfiguration {
    package mutating func trust(_ authorities: SLPAuthorities) {
        additionalTrustRoots.append(.certificates(authorities.certificates))
    }
}
