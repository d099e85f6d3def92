package import NIOSSL

/// The certificates of authorities to trust besides the machine's own, for servers whose certificate no public
/// authority signed.
package struct TrustedAuthorities: Sendable, Hashable {
    package let certificates: [NIOSSLCertificate]

    /// Reads PEM with one certificate or several; nil if it has none.
    package init?(pem: [UInt8]) {
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(pem), !certificates.isEmpty else { return nil }
        self.certificates = certificates
    }
}

extension TLSConfiguration {
    /// Adds the authorities to the trusted ones.
    package mutating func trust(_ authorities: TrustedAuthorities) {
        additionalTrustRoots.append(.certificates(authorities.certificates))
    }
}
