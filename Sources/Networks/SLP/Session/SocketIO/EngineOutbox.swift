import SLPWire
import Synchronization

/// The packets to send. Any task may add packets; one task sends them.
final class EngineOutbox: Sendable {
    /// The limit of waiting packets: the namespaces of a large account, all requested at once.
    static let limit = 10_000
    /// The limit of packets in one body that servers accept (python-engineio's `max_decode_packets`; it drops a body
    /// with more).
    private static let batch = 16

    private struct State {
        var packets: [EnginePacket] = []
        var isPongWaiting = false
        var isFinished = false
    }

    private let state = Mutex(State())
    private let wakes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Adds packets. Returns false if too many wait, or after ``finish()``.
    func push(_ packets: [EnginePacket]) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isFinished, state.packets.count + packets.count <= Self.limit else { return false }
            state.packets += packets
            return true
        }
        wakes.continuation.yield()
        return isTaken
    }

    /// Adds a pong. One pong answers all pings that come before it is sent, so that a server can't fill the memory with
    /// pings.
    func pushPong() {
        state.withLock { state in
            guard !state.isPongWaiting, !state.isFinished else { return }
            state.isPongWaiting = true
        }
        wakes.continuation.yield()
    }

    /// Ends the outbox after the waiting packets and a close packet.
    func finish() {
        state.withLock { $0.isFinished = true }
        wakes.continuation.finish()
    }

    /// Calls `send` with the waiting packets, as many as fit into a body, until the outbox is finished or the task is
    /// cancelled.
    ///
    /// - Parameter maximumBytes: The limit of bytes in one body. A longer packet goes alone.
    func drain(maximumBytes: Int, _ send: ([EnginePacket]) async throws -> Void) async throws {
        for await _ in wakes.stream { try await sendAll(maximumBytes, send) }
        guard !Task.isCancelled else { return }
        try await sendAll(maximumBytes, send)
        try await send([.close])
    }

    private func sendAll(_ maximumBytes: Int, _ send: ([EnginePacket]) async throws -> Void) async throws {
        while case let packets = takeBatch(maximumBytes), !packets.isEmpty { try await send(packets) }
    }

    private func takeBatch(_ maximumBytes: Int) -> [EnginePacket] {
        state.withLock { state in
            var taken: [EnginePacket] = state.isPongWaiting ? [.pong([])] : []
            state.isPongWaiting = false
            var (count, bytes) = (0, 2)
            while taken.count < Self.batch, count < state.packets.count {
                // Includes the separator.
                bytes += state.packets[count].encoded.count + 1
                guard taken.isEmpty || bytes <= maximumBytes else { break }
                taken.append(state.packets[count])
                count += 1
            }
            state.packets.removeFirst(count)
            return taken
        }
    }
}
