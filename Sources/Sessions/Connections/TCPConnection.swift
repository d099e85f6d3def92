import NIOCore
import NIOPosix

/// A connection that ``TCPConnector`` opened.
struct TCPConnection: Connection {
    let channel: any Channel
    let inbound: NIOAsyncChannelInboundStream<Received>
    let progress: ReadProgress
    let peer: String
    /// True if a single certificate is trusted, and no authority.
    let isPinned: Bool

    var readsTaken: Int { progress.reads }

    func forEachRead<Outcome: Sendable>(
        _ body: (Received) async -> Outcome?
    ) async throws(ConnectionError) -> Outcome? {
        do {
            for try await received in inbound {
                if let outcome = await body(received) { return outcome }
                // Yields, because reading never waits for a peer that sends as fast as we read, and other tasks share
                // the thread.
                await Task.yield()
            }
            return nil
        } catch {
            throw ConnectionError(error, peer: peer, isPinned: isPinned)
        }
    }

    func send(_ bytes: [UInt8]) async throws(ConnectionError) {
        let written = channel.eventLoop.makePromise(of: Void.self)
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: written)
        do {
            try await withTaskCancellationHandler {
                try await written.futureResult.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch {
            throw ConnectionError(error, peer: peer, isPinned: isPinned)
        }
    }

    func acknowledgement() async -> Acknowledgement? {
        guard let options = channel as? any SocketOptionProvider else { return nil }
        let info: TCPInfo? = try? await options.unsafeGetSocketOption(level: .tcp, name: .tcp_info).get()
        return info?.acknowledgement
    }
}
