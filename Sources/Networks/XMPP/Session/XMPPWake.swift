import Sessions

/// Wakes one task that waits for work.
final class XMPPWake: Sendable {
    private let wakes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Wakes the task, or lets it not wait the next time.
    func set() { wakes.continuation.yield() }

    /// Returns when there is work, after a time, or if the task is cancelled.
    ///
    /// - Parameter time: Nil to wait only for work.
    func wait(_ time: Duration? = nil, of clock: any Clock<Duration>) async {
        guard let time else {
            for await _ in wakes.stream { return }
            return
        }
        guard time > .zero else { return }
        await within(time, of: clock) { for await _ in self.wakes.stream { return } }
    }
}
