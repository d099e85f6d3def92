import Synchronization

/// The port of the server, known when it is bound; nil for a socket's path.
final class BoundPort: Sendable {
    private let port = Mutex<Int?>(nil)

    func set(_ new: Int?) { port.withLock { $0 = new } }

    var number: Int? { port.withLock(\.self) }
}
