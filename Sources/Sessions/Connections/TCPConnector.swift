package import ChatModel
package import NIOCore

/// Connects over TCP, or over TLS.
package struct TCPConnector: Connector {
    /// The limit of bytes in one read.
    package static let readSize = Dialer.readSize
    /// The number of reads that may wait for their consumer before reading stops: half a megabyte.
    private static let waitingReads = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
        lowWatermark: 2, highWatermark: 8)

    private let dialer: Dialer
    private let tls: TLSOptions?
    private let certified: String?
    private let upgrade: (@Sendable () -> any UpgradeDialogue)?
    private let traffic: Traffic?
    private let readClocks: @Sendable () -> ClockReading

    /// - Parameters:
    ///   - connectTimeout: The seconds after which an attempt fails; 10 s allow for a few lost SYNs.
    ///   - tls: The options of TLS; nil for plain text. The handshake continues after this returns, so the reader must
    ///     limit its time.
    ///   - certified: The name that the peer's certificate must have; nil for the host's.
    ///   - upgrade: Creates the dialogue before TLS of one connection; nil for connections that begin with TLS.
    ///   - traffic: Counts the received bytes.
    package init(
        group: any EventLoopGroup, keepalive: Keepalive = Keepalive(), connectTimeout: Int64 = 10,
        tls: TLSOptions? = nil, certified: String? = nil, upgrade: (@Sendable () -> any UpgradeDialogue)? = nil,
        traffic: Traffic? = nil, readClocks: @escaping @Sendable () -> ClockReading = { .now() }
    ) {
        (self.tls, self.certified, self.upgrade) = (tls, certified, upgrade)
        self.traffic = traffic
        dialer = Dialer(group: group, keepalive: keepalive, connectTimeout: .seconds(connectTimeout))
        self.readClocks = readClocks
    }

    package func withConnection<Outcome: Sendable>(
        host: String, port: Int, _ body: @Sendable (any Connection) async -> Outcome
    ) async throws(ConnectionError) -> Outcome {
        let peer = ConnectionError.peer(host: host, port: port)
        do {
            let progress = ReadProgress()
            let channel = try await connect(host: host, port: port, progress: progress)
            return try await channel.executeThenClose { inbound, _ in
                await body(
                    TCPConnection(
                        channel: channel.channel, inbound: inbound, progress: progress, peer: peer, isPinned: isPinned))
            }
        } catch {
            throw ConnectionError(error, peer: peer, isPinned: isPinned)
        }
    }

    private var isPinned: Bool { tls?.fingerprint != nil }

    private func connect(host: String, port: Int, progress: ReadProgress) async throws -> NIOAsyncChannel<
        Received, Never
    > {
        let secured = try tls?.handlers(for: certified ?? host)
        let peer = ConnectionError.peer(host: host, port: port)
        return try await dialer.dial(host: host, port: port) { channel in
            if let secured, let upgrade {
                try channel.pipeline.syncOperations.addHandler(UpgradeHandler(upgrade(), peer: peer, makeTLS: secured))
            } else if let secured {
                try channel.pipeline.syncOperations.addHandler(secured())
            }
            try channel.pipeline.syncOperations.addHandler(
                ReadStamper(bufferSize: Self.readSize, readClocks: readClocks, progress: progress, traffic: traffic))
            return try NIOAsyncChannel<Received, Never>(
                wrappingChannelSynchronously: channel,
                configuration: .init(backPressureStrategy: Self.waitingReads))
        }
    }
}
