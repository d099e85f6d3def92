package import ChatModel
import Synchronization

/// Counts the bytes that an account receives from its network, at the time of reading.
package final class Traffic: Sendable {
    private let counts = Mutex<(bytes: Int64, lastByte: Timestamp?)>((0, nil))

    private let wallClock: @Sendable () -> Timestamp

    /// - Parameter wallClock: The clock for ``lastByte``.
    package init(wallClock: @escaping @Sendable () -> Timestamp = { .now() }) {
        self.wallClock = wallClock
    }

    /// The number of bytes received so far; with TLS, after decryption.
    package var bytes: Int64 { counts.withLock { $0.bytes } }
    /// The time of the last byte by the wall clock; nil before the first.
    package var lastByte: Timestamp? { counts.withLock { $0.lastByte } }

    package func add(_ bytes: Int) {
        guard bytes > 0 else { return }
        let time = wallClock()
        counts.withLock { counts in
            counts.bytes &+= Int64(bytes)
            // Takes the last reading, not the highest, so that a clock that was ahead has no lasting effect.
            counts.lastByte = time
        }
    }
}
