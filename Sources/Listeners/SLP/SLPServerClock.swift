import ChatModel
import NIOHTTP1
import SLPWire
import Synchronization

/// How far the service's clock is behind ours, by the `Date` of its last answer.
final class SLPServerClock: Sendable {
    private let wallClock: @Sendable () -> Timestamp
    private let lag = Mutex(Duration.zero)

    init(wallClock: @escaping @Sendable () -> Timestamp) {
        self.wallClock = wallClock
    }

    /// No less than it is: with the way that the answer took, and up to a second, which a `Date` does not tell. Zero where it is
    /// ahead, and while nothing is known.
    var behind: Duration { lag.withLock(\.self) }

    func note(_ headers: HTTPHeaders) {
        guard let date = headers.first(name: "Date").flatMap(SLPTime.microseconds(ofDate:)) else { return }
        let behind = wallClock().since(Timestamp(microseconds: date))
        lag.withLock { $0 = max(.zero, behind) }
    }
}
