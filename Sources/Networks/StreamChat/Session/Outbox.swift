import Synchronization

/// Passes a person's messages to the present connection.
final class Outbox: Sendable {
    /// The limit of waiting messages. Users type more slowly than servers read, so a longer queue means that the server
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

    /// Sends a message. Returns nil if it is on its way, otherwise the reason why not.
    func post(_ frame: [UInt8]) -> String? {
        connection.withLock { connection in
            switch connection?.yield(frame) {
            case .enqueued: nil
            case .dropped: "not sent: the server has not accepted the last \(Self.limit) messages yet"
            default: "not sent: not connected"
            }
        }
    }
}
