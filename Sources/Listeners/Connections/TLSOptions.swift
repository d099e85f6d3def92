import Crypto
import NIOCore
package import NIOSSL

/// How a connection is secured: whom to trust, and who we are.
package struct TLSOptions: Sendable {
    /// The machine's authorities are trusted by default. A peer that is gone delays closing by the second that TLS waits for
    /// its goodbye.
    package var configuration = {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.shutdownTimeout = .seconds(1)
        return tls
    }()
    /// SHA-256 of the only certificate (DER) that is trusted, whoever vouches for it and whatever name it is for.
    package var fingerprint: [UInt8]?

    package init() {}

    /// Makes handlers for one attempt; reading the authorities takes some milliseconds.
    func handlers(for host: String) throws -> @Sendable () throws -> NIOSSLClientHandler {
        let context = try NIOSSLContext(configuration: configuration)
        // By name, where the host has one: there is no server name that is an address (RFC 6066 §3).
        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        let name = isAddress ? nil : host
        guard let fingerprint else { return { try NIOSSLClientHandler(context: context, serverHostname: name) } }
        return {
            try NIOSSLClientHandler(context: context, serverHostname: name) { certificates, verdict in
                let presented = try? certificates.first?.toDERBytes()
                let isPinned = presented.map { Array(SHA256.hash(data: $0)) } == fingerprint
                verdict.succeed(isPinned ? .certificateVerified : .failed)
            }
        }
    }
}
