package import ChatModel
import Synchronization

/// Counts the bytes that an account has received from its network, where they are read.
package final class Traffic: Sendable {
    private let counts = Mutex<(bytes: Int64, lastByte: Timestamp?)>((0, nil))

    private let wallClock: @Sendable () -> Timestamp

    /// - Parameter wallClock: The clock for ``lastByte``.
    package init(wallClock: @escaping @Sendable () -> Timestamp = { .now() }) {
        self.wallClock = wallClock
    }

    /// Bytes received so far; with TLS, those after decryption.
    package var bytes: Int64 { counts.withLock { $0.bytes } }
    /// The wall clock at the last byte; nil before the first.
    package var lastByte: Timestamp? { counts.withLock { $0.lastByte } }

    func add(_ bytes: Int) {
        guard bytes > 0 else { return }
        let time = wallClock()
        counts.withLock { counts in
            counts.bytes &+= Int64(bytes)
            // The latest by order, so that a clock that was ahead leaves nothing behind.
            counts.lastByte = time
        }
    }
}
