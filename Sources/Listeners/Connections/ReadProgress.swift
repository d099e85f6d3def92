import Synchronization

/// How many times a socket has been read: noted on its event loop, looked at from tasks.
final class ReadProgress: Sendable {
    private let count = Mutex(0)

    var reads: Int { count.withLock { $0 } }

    func tookRead() {
        count.withLock { $0 += 1 }
    }
}
