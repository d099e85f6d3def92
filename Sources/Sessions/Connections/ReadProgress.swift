import Synchronization

/// Counts the reads of a socket, on its event loop. Tasks read the count.
final class ReadProgress: Sendable {
    private let count = Mutex(0)

    var reads: Int { count.withLock { $0 } }

    func countRead() {
        count.withLock { $0 += 1 }
    }
}
