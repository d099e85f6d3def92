import ServiceLifecycle

/// Tells systemd when the listener is ready, and then that it is alive, for as long as every store answers.
struct SystemdService: Service {
    let tell: @Sendable (String) -> Void
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
    private static let readyInterval = Duration.milliseconds(100)

    /// Until graceful shutdown.
    func run() async {
        do {
            try await cancelWhenGracefulShutdown { try await stayAlive() }
        } catch {
            // Cancelled, which is how it ends.
        }
    }

    private func stayAlive() async throws {
        while !(await isReady()) { try await clock.sleep(for: Self.readyInterval) }
        tell("READY=1")
        while !Task.isCancelled {
            await storesAnswer()
            tell((watchdog == nil ? "" : "WATCHDOG=1\n") + "STATUS=\(summary())")
            // Half of what systemd expects, as its documentation advises.
            try await clock.sleep(for: watchdog.map { $0 / 2 } ?? Self.summaryInterval)
        }
    }
}
