import Sessions
import Synchronization

/// Notices a server that sends nothing while packets are read. The time in which packets wait for a slow consumer does
/// not count.
final class SilenceWatch: Sendable {
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    /// The time when reading began after the last packet, by the stopwatch; nil while a consumer is busy.
    private let readingSince = Mutex<Duration?>(.zero)

    init(clock: any Clock<Duration>) {
        self.clock = clock
        stopwatch = Stopwatch(clock)
    }

    var isReading: Bool { readingSince.withLock { $0 != nil } }

    func resume() {
        readingSince.withLock { $0 = stopwatch.elapsed }
    }

    func pause() {
        readingSince.withLock { $0 = nil }
    }

    /// Returns when there was no packet for this time, or if the task is cancelled.
    func waitForSilence(of limit: Duration) async {
        while !Task.isCancelled {
            let now = stopwatch.elapsed
            let since = readingSince.withLock { $0 } ?? now
            guard now - since < limit else { return }
            try? await clock.sleep(for: limit - (now - since))
        }
    }
}
