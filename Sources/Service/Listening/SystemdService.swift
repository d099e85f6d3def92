import ServiceLifecycle

/// Notifies systemd when the listener is ready, and after that that it is alive, as long as every store answers.
struct SystemdService: Service {
    /// Sends a notification. Returns false if the caller must retry.
    let notify: @Sendable (String) -> Bool
    /// The interval of systemd's watchdog; nil if it has none.
    let watchdog: Duration?
    /// Returns true if the control socket answers.
    let isReady: @Sendable () async -> Bool
    /// Returns when every store has answered. While one hangs it doesn't return, and systemd ends the process.
    let storesAnswer: @Sendable () async -> Void
    /// Returns a summary for `systemctl status`.
    let summary: @Sendable () -> String
    let clock: any Clock<Duration>

    /// The interval of summaries without a watchdog.
    private static let summaryInterval = Duration.seconds(30)
    private static let retryInterval = Duration.milliseconds(100)

    /// Runs until graceful shutdown.
    func run() async {
        do {
            try await cancelWhenGracefulShutdown { try await stayAlive() }
        } catch {
            // Cancellation ends the service.
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
        while !notify(state) { try await clock.sleep(for: Self.retryInterval) }
    }
}
