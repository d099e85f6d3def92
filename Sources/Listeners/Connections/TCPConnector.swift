package import ChatModel
package import NIOCore

/// Connects over TCP.
package struct TCPConnector: Connector {
    /// The most that one read takes.
    package static let readSize = Dialer.readSize
    /// Reads that may wait for their consumer before the socket is left alone: half a megabyte.
    private static let waitingReads = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
        lowWatermark: 2, highWatermark: 8)

    private let dialer: Dialer
    private let wallClock: @Sendable () -> Timestamp

    /// - Parameter connectTimeout: Seconds until an attempt is given up; 10 is a few lost SYNs.
    package init(
        group: any EventLoopGroup, keepalive: Keepalive = Keepalive(), connectTimeout: Int64 = 10,
        wallClock: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        dialer = Dialer(group: group, keepalive: keepalive, connectTimeout: .seconds(connectTimeout))
        self.wallClock = wallClock
    }

    package func withConnection<Outcome: Sendable>(
        host: String, port: Int, _ body: @Sendable (any Connection) async -> Outcome
    ) async throws(ConnectionError) -> Outcome {
        let peer = ConnectionError.peer(host: host, port: port)
        do {
            let progress = ReadProgress()
            let channel = try await connect(host: host, port: port, progress: progress)
            return try await channel.executeThenClose { inbound, _ in
                await body(TCPConnection(channel: channel.channel, inbound: inbound, progress: progress, peer: peer))
            }
        } catch {
            throw ConnectionError(error, peer: peer)
        }
    }

    private func connect(host: String, port: Int, progress: ReadProgress) async throws -> NIOAsyncChannel<
        Received, Never
    > {
        try await dialer.dial(host: host, port: port) { channel in
            try channel.pipeline.syncOperations.addHandler(
                ReadStamper(bufferSize: Self.readSize, wallClock: wallClock, progress: progress))
            return try NIOAsyncChannel<Received, Never>(
                wrappingChannelSynchronously: channel,
                configuration: .init(backPressureStrategy: Self.waitingReads))
        }
    }
}
