import Synchronization

/// Counts the reads of a socket: counted on its event loop, read from tasks.
final class ReadProgress: Sendable {
    private let count = Mutex(0)

    var reads: Int { count.withLock { $0 } }

    func tookRead() {
        count.withLock { $0 += 1 }
    }
}
