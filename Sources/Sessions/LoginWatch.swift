import Synchronization

/// Remembers the last tried login, and waits for a different one after a refusal, because a network might close an
/// account that repeats a refused login.
package final class LoginWatch<Configuration: LoginConfiguration>: Sendable {
    private let configuration: WatchedValue<Configuration>
    private let clock: any Clock<Duration>
    private let tried: Mutex<Configuration.Login>

    init(_ configuration: WatchedValue<Configuration>, clock: any Clock<Duration>) {
        (self.configuration, self.clock) = (configuration, clock)
        tried = Mutex(configuration.value.login)
    }

    /// Reads the present login, and remembers it as tried.
    package func next() -> Configuration.Login {
        let login = configuration.value.currentLogin
        return tried.withLock { tried in
            if let login { tried = login }
            return tried
        }
    }

    /// Returns when there is a different login, or if the task is cancelled.
    func waitUntilChanged() async {
        let refused = configuration.value.withTokens(tried.withLock { $0 })
        while (try? await clock.sleep(for: configuration.value.loginCheckInterval)) != nil {
            if let login = configuration.value.currentLogin, login != refused { return }
        }
    }
}
