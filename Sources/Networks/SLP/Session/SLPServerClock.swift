import ChatModel
import NIOHTTP1
import SLPWire
import Synchronization

/// The time by which the service's clock is behind ours, according to the `Date` of its last answer.
final class SLPServerClock: Sendable {
    private let wallClock: @Sendable () -> Timestamp
    private let lag = Mutex(Duration.zero)

    init(wallClock: @escaping @Sendable () -> Timestamp) {
        self.wallClock = wallClock
    }

    /// An upper bound: it includes the time of the answer's transfer, and up to a second that a `Date` leaves out. 0 if
    /// the service's clock is ahead, and before the first answer.
    var behind: Duration { lag.withLock(\.self) }

    func update(from headers: HTTPHeaders) {
        guard let date = headers.first(name: "Date").flatMap(SLPTime.microseconds(ofDate:)) else { return }
        let behind = wallClock().since(Timestamp(microseconds: date))
        lag.withLock { $0 = max(.zero, behind) }
    }
}
