import Synchronization

/// Knows what was tried to log in with, and waits for something else where that was refused: asked again with the same, the
/// service might close the account.
final class SLPLoginWatch: Sendable {
    private let live: Live<SLPListenerConfiguration>
    private let clock: any Clock<Duration>
    private let tried: Mutex<SLPLogin>

    init(_ live: Live<SLPListenerConfiguration>, clock: any Clock<Duration>) {
        (self.live, self.clock) = (live, clock)
        tried = Mutex(SLPLogin(live.value.service))
    }

    private var configuration: SLPListenerConfiguration { live.value }

    /// The service with the credentials as they are by now, which is what is tried.
    func next() -> SLPConfiguration {
        let service = current()
        tried.withLock { $0 = SLPLogin(service) }
        return service
    }

    /// Returns when there are other credentials, or the tokens of a login that somebody else made, or when the task is
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
