import Synchronization

/// Passes a person's messages to the connection, if there is one.
final class Outbox: Sendable {
    /// The most messages that wait: people type more slowly than servers read, so more can wait only for a peer that
    /// does not read.
    private static let limit = 16

    private let connection = Mutex<AsyncStream<[UInt8]>.Continuation?>(nil)

    /// Begins to pass messages to the returned stream, until ``close()``.
    func open() -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(Self.limit))
        connection.withLock { $0 = continuation }
        return stream
    }

    func close() {
        connection.withLock { $0.take() }?.finish()
    }

    /// Returns nil when the message is on its way, else the reason why not.
    func post(_ frame: [UInt8]) -> String? {
        connection.withLock { connection in
            switch connection?.yield(frame) {
            case .enqueued: nil
            case .dropped: "not sent: the server has not taken the last \(Self.limit) messages yet"
            default: "not sent: not connected"
            }
        }
    }
}
