import ChatModel
import NIOSSL
package import Settings

extension CertificateTrust {
    /// Checks what only TLS knows of the files. Reports every problem to `table`.
    package func check(_ table: inout TableReader) {
        table.checkAuthorities(authorities)
        let chain = table.checkPEM(.certificate, certificate, read: Self.chain)
        let privateKey = table.checkPEM(.key, key, read: Self.privateKey)
        guard let chain, let privateKey, !Self.isAccepted(privateKey, of: chain) else { return }
        table.report(
            "key_file", expected: "the key of the certificate in certificate_file", found: "the key of another one")
    }

    /// Returns the certificates in PEM; nil if there are none.
    private static func chain(_ pem: [UInt8]) -> [NIOSSLCertificate]? {
        (try? NIOSSLCertificate.fromPEMBytes(pem)).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func privateKey(_ pem: [UInt8]) -> NIOSSLPrivateKey? {
        try? NIOSSLPrivateKey(bytes: pem, format: .pem)
    }

    /// Returns false if TLS refuses our own certificate with our key.
    private static func isAccepted(_ key: NIOSSLPrivateKey, of chain: [NIOSSLCertificate]) -> Bool {
        var configuration = TLSConfiguration.makeClientConfiguration()
        // Reads no authorities, which takes milliseconds.
        configuration.trustRoots = .certificates([])
        configuration.certificateChain = chain.map { .certificate($0) }
        configuration.privateKey = .privateKey(key)
        return (try? NIOSSLContext(configuration: configuration)) != nil
    }

    /// Returns a warning about the time in which our own certificate is valid; nil if it is valid now. Some servers
    /// accept it at any time, because they compare only its fingerprint.
    ///
    /// - Parameter now: Seconds since 1970.
    package func validityWarning(now: Int) -> String? {
        guard let leaf = certificate.flatMap(Self.chain)?.first else { return nil }
        if leaf.notValidAfter < now {
            return
                "certificate_file: the certificate expired on \(Self.day(leaf.notValidAfter)), so servers may refuse it"
        }
        if leaf.notValidBefore > now {
            return
                "certificate_file: the certificate is not valid before \(Self.day(leaf.notValidBefore)), so servers may "
                + "refuse it"
        }
        return nil
    }

    /// - Returns: The day in UTC, such as `2026-11-21`.
    private static func day(_ seconds: Int) -> String {
        String(
            Timestamp(microseconds: Int64(seconds).multipliedReportingOverflow(by: 1_000_000).partialValue)
                .description.prefix { $0 != "T" })
    }

    /// The options of a connection. Files that are not valid, which ``check(_:)`` reports, have no effect.
    package var options: TLSOptions {
        var options = TLSOptions()
        if let authorities = authorities.flatMap({ TrustedAuthorities(pem: $0) }) {
            options.configuration.trust(authorities)
        }
        options.fingerprint = fingerprint
        if let chain = certificate.flatMap(Self.chain), let key = key.flatMap(Self.privateKey) {
            options.configuration.certificateChain = chain.map { .certificate($0) }
            options.configuration.privateKey = .privateKey(key)
        }
        return options
    }
}
