import ServiceLifecycle

/// Tells systemd when the listener is ready, and then that it is alive, for as long as every store answers.
struct SystemdService: Service {
    /// False when it is to be tried again.
    let tell: @Sendable (String) -> Bool
    /// Nil where systemd doesn't watch.
    let watchdog: Duration?
    /// Whether the control socket answers.
    let isReady: @Sendable () async -> Bool
    /// Returns once every store has answered; while one hangs, it doesn't, and systemd ends us.
    let storesAnswer: @Sendable () async -> Void
    /// For `systemctl status`.
    let summary: @Sendable () -> String
    let clock: any Clock<Duration>

    /// How often the summary is told where systemd doesn't watch.
    private static let summaryInterval = Duration.seconds(30)
    private static let retryInterval = Duration.milliseconds(100)

    /// Until graceful shutdown.
    func run() async {
        do {
            try await cancelWhenGracefulShutdown { try await stayAlive() }
        } catch {
            // Cancelled, which is how it ends.
        }
    }

    private func stayAlive() async throws {
        while !(await isReady()) { try await clock.sleep(for: Self.retryInterval) }
        try await deliver("READY=1")
        while !Task.isCancelled {
            await storesAnswer()
            try await deliver((watchdog == nil ? "" : "WATCHDOG=1\n") + "STATUS=\(summary())")
            // Half of what systemd expects, as its documentation advises.
            try await clock.sleep(for: watchdog.map { $0 / 2 } ?? Self.summaryInterval)
        }
    }

    private func deliver(_ state: String) async throws {
        while !tell(state) { try await clock.sleep(for: Self.retryInterval) }
    }
}
