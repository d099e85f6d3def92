import Crypto
import NIOCore
package import NIOSSL

/// The security of a connection: the trusted certificates, and the client's own certificate. Every TLS connection of
/// the program uses these options.
package struct TLSOptions: Sendable {
    /// TLS 1.2 or later, because RFC 8996 forbids older versions. The machine's authorities are trusted by default. A
    /// vanished peer delays closing by 1 s, for which TLS waits for its close_notify.
    package var configuration = {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.shutdownTimeout = .seconds(1)
        return tls
    }()
    /// The SHA-256 of the only trusted certificate (DER), regardless of its signature and name; nil to trust
    /// authorities.
    package var fingerprint: [UInt8]?

    /// The default configuration, without a fingerprint.
    package init() {}

    /// Creates options that trust the configuration's authorities, and no single certificate.
    package init(_ configuration: TLSConfiguration) {
        self.configuration = configuration
    }

    /// Returns a function that creates the handlers of one attempt. Reads the authorities, which takes some
    /// milliseconds.
    package func handlers(for host: String) throws -> @Sendable () throws -> NIOSSLClientHandler {
        let name = HostName(host)
        if let fingerprint { return try pinned(fingerprint, name) }
        let context = try NIOSSLContext(configuration: configuration)
        // An address is not a valid server name (RFC 6066 §3), and NIOSSL compares addresses itself.
        guard let name else { return { try NIOSSLClientHandler(context: context, serverHostname: nil) } }
        return {
            try NIOSSLClientHandler._makeSSLClientHandler(context: context, serverHostname: name.text) {
                leaf, channel in
                channel.eventLoop.makeCompletedFuture { try name.verify(leaf) }
            }
        }
    }

    private func pinned(
        _ fingerprint: [UInt8], _ name: HostName?
    ) throws -> @Sendable () throws -> NIOSSLClientHandler {
        var configuration = configuration
        configuration.certificateVerification = .noHostnameVerification
        let context = try NIOSSLContext(configuration: configuration)
        return {
            try NIOSSLClientHandler(context: context, serverHostname: name?.text) { certificates, verdict in
                let presented = try? certificates.first?.toDERBytes()
                let isPinned = presented.map { Array(SHA256.hash(data: $0)) } == fingerprint
                verdict.succeed(isPinned ? .certificateVerified : .failed)
            }
        }
    }
}
