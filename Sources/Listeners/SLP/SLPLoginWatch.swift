import Synchronization

/// Knows which login was tried last, and waits for a different one where that was refused: the service might close an
/// account that repeats a refused login.
final class SLPLoginWatch: Sendable {
    private let live: Live<SLPListenerConfiguration>
    private let clock: any Clock<Duration>
    private let tried: Mutex<SLPLogin>

    init(_ live: Live<SLPListenerConfiguration>, clock: any Clock<Duration>) {
        (self.live, self.clock) = (live, clock)
        tried = Mutex(SLPLogin(live.value.service))
    }

    private var configuration: SLPListenerConfiguration { live.value }

    /// Reads the present credentials, which then count as tried.
    func next() -> SLPConfiguration {
        let service = current()
        tried.withLock { $0 = SLPLogin(service) }
        return service
    }

    /// Returns when there are different credentials, or the tokens of a login by another process, or when the task is
    /// cancelled.
    func waitUntilMended() async {
        let refused = tried.withLock { $0 }.withTokens(configuration.service)
        while (try? await clock.sleep(for: configuration.mendInterval)) != nil {
            if SLPLogin(current()) != refused { return }
        }
    }

    private func current() -> SLPConfiguration {
        var service = configuration.service
        if let credentials = configuration.currentCredentials() { service.credentials = credentials }
        return service
    }
}
