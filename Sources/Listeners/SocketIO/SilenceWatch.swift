import Synchronization

/// Notices a server that says nothing while it is listened to. What waits unread, because its consumer takes its time, is
/// no silence.
final class SilenceWatch: Sendable {
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    /// When listening began, after the last thing heard; nil while a consumer is waited for.
    private let listeningSince = Mutex<Duration?>(.zero)

    init(clock: any Clock<Duration>) {
        self.clock = clock
        stopwatch = Stopwatch(clock)
    }

    var isListening: Bool { listeningSince.withLock { $0 != nil } }

    func listen() {
        listeningSince.withLock { $0 = stopwatch.elapsed }
    }

    func pause() {
        listeningSince.withLock { $0 = nil }
    }

    /// Returns when there was no sign of life for so long, or the task is cancelled.
    func waitForSilence(of limit: Duration) async {
        while !Task.isCancelled {
            let now = stopwatch.elapsed
            let since = listeningSince.withLock { $0 } ?? now
            guard now - since < limit else { return }
            try? await clock.sleep(for: limit - (now - since))
        }
    }
}
