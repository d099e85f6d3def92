import ChatModel
import Synchronization

/// How far a socket has been read: noted on its event loop, looked at from tasks.
final class ReadProgress: Sendable {
    private let state = Mutex<(reads: Int, endedAt: Timestamp?)>((0, nil))

    var reads: Int { state.withLock { $0.reads } }
    var endedAt: Timestamp? { state.withLock { $0.endedAt } }

    func tookRead() {
        state.withLock { $0.reads += 1 }
    }

    func ended(at time: Timestamp) {
        state.withLock { $0.endedAt = $0.endedAt ?? time }
    }
}
