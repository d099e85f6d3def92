import Synchronization

/// Knows what was tried to log in with, and waits for something else where that was refused.
final class LoginWatch<Login: Sendable & Equatable>: Sendable {
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let current: @Sendable () -> Login?
    private let tried: Mutex<Login>

    /// - Parameters:
    ///   - first: What there is at first.
    ///   - current: What there is by now; nil where that can't be told.
    init(
        _ first: Login, every interval: Duration, clock: any Clock<Duration>, current: @escaping @Sendable () -> Login?
    ) {
        (self.interval, self.clock, self.current) = (interval, clock, current)
        tried = Mutex(first)
    }

    /// What there is by now, which is what is tried.
    func next() -> Login {
        let login = current()
        return tried.withLock { tried in
            if let login { tried = login }
            return tried
        }
    }

    /// Returns when there is something else, or when the task is cancelled.
    func waitUntilMended() async {
        let refused = tried.withLock { $0 }
        while (try? await clock.sleep(for: interval)) != nil {
            if let login = current(), login != refused { return }
        }
    }
}
