import Synchronization

/// Where what a person says waits for the connection, if there is one.
final class Outbox: Sendable {
    /// Nobody types faster than a server takes it; more than these wait only behind a peer that does not read.
    private static let limit = 16

    private let connection = Mutex<AsyncStream<[UInt8]>.Continuation?>(nil)

    /// From here on what is posted goes to the stream returned, until ``close()``.
    func open() -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(Self.limit))
        connection.withLock { $0 = continuation }
        return stream
    }

    func close() {
        connection.withLock { $0.take() }?.finish()
    }

    /// Nil when it is on its way, else why it isn't.
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
