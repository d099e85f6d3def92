import Synchronization

/// Remembers the last tried login, and waits for a different one after a refusal, because a network might close an
/// account that repeats a refused login.
package final class LoginWatch<Login: Sendable & Equatable>: Sendable {
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let renewed: @Sendable (Login) -> Login
    private let current: @Sendable () -> Login?
    private let tried: Mutex<Login>

    /// - Parameters:
    ///   - first: The login at first.
    ///   - renewed: Returns a login with the tokens that the session itself has renewed.
    ///   - current: Reads the present login; nil if it can't be read.
    package init(
        _ first: Login, every interval: Duration, clock: any Clock<Duration>,
        renewed: @escaping @Sendable (Login) -> Login = { $0 }, current: @escaping @Sendable () -> Login?
    ) {
        (self.interval, self.clock, self.renewed, self.current) = (interval, clock, renewed, current)
        tried = Mutex(first)
    }

    /// Reads the present login, and remembers it as tried.
    package func next() -> Login {
        let login = current()
        return tried.withLock { tried in
            if let login { tried = login }
            return tried
        }
    }

    /// Returns when there is a different login, or if the task is cancelled.
    package func waitUntilChanged() async {
        let refused = renewed(tried.withLock { $0 })
        while (try? await clock.sleep(for: interval)) != nil {
            if let login = current(), login != refused { return }
        }
    }
}
