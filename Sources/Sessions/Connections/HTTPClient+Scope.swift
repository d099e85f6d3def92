package import AsyncHTTPClient
package import NIOCore
package import NIOSSL

extension HTTPClient {
    /// The time limit for closing connections: the second for which TLS waits for a peer's close_notify.
    private static let closing = Duration.seconds(1)

    /// Runs `body` with a client, and closes the client's connections after it.
    ///
    /// A connection that is being opened can't be cancelled (async-http-client 1.37.0), and may take longer to fail
    /// than a stop may take, so this does not wait for it.
    package static func scoped<Outcome>(
        group: any EventLoopGroup, configuration: Configuration, _ body: (HTTPClient) async throws -> Outcome
    ) async throws -> Outcome {
        let client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
        do {
            let outcome = try await body(client)
            await client.close()
            return outcome
        } catch {
            await client.close()
            throw error
        }
    }

    private func close() async {
        let isClosed = Signal()
        shutdown { _ in isClosed.set() }
        await within(Self.closing, of: ContinuousClock()) { await isClosed.wait() }
    }
}

extension HTTPClient.Configuration {
    /// Creates a configuration without redirects, decompression and retries. Callers retry with growing waits.
    ///
    /// - Parameter host: The host of the calls.
    package init(_ tls: TLSConfiguration, host: String) {
        self.init(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10), read: nil), decompression: .disabled)
        httpVersion = .http1Only
        connectionPool.retryConnectionEstablishment = false
        if let name = HostName(host) { http1_1ConnectionDebugInitializer = { name.verify($0) } }
    }
}

extension HostName {
    /// Verifies the peer of an HTTP connection before the first request, in the only hook that async-http-client 1.37.0
    /// has between the two.
    fileprivate func verify(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard channel.eventLoop.inEventLoop else { return channel.eventLoop.flatSubmit { verify(channel) } }
        let pipeline = channel.pipeline.syncOperations
        // A connection in plain text has no TLS handler.
        guard let handler = try? pipeline.handler(type: NIOSSLClientHandler.self) else {
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        let result = channel.eventLoop.makeCompletedFuture {
            guard let leaf = handler.peerCertificate else { throw NIOSSLError.noCertificateToValidate }
            try verify(leaf)
        }
        // After the failure, because the pool drops a failed connection without closing it.
        result.whenFailure { _ in channel.eventLoop.execute { channel.close(promise: nil) } }
        return result
    }
}
