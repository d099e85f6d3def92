import Sessions
import Synchronization

/// Wakes one task that waits for work.
final class XMPPWake: Sendable {
    private let next = Mutex(Signal())

    /// Wakes the task, or lets it not wait the next time.
    func set() { next.withLock { $0 }.set() }

    /// Returns when there is work, after a time, or if the task is cancelled.
    ///
    /// - Parameter time: Nil to wait only for work.
    func wait(_ time: Duration? = nil, of clock: any Clock<Duration>) async {
        let signal = next.withLock { $0 }
        if let time {
            guard time > .zero else { return }
            await within(time, of: clock) { await signal.wait() }
        } else {
            await signal.wait()
        }
        next.withLock { if signal.isSet, $0 === signal { $0 = Signal() } }
    }
}
