import Synchronization

/// Measures how long a task that was due had to wait. On a machine that is too busy, lines that were sent separately
/// arrive together.
final class StallMeter: Sendable {
    private static let interval = Duration.milliseconds(5)
    private let state = Mutex(Duration.zero)

    var longest: Duration { state.withLock { $0 } }

    func measuring<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let meter = Task {
            while true {
                let due = ContinuousClock.now + Self.interval
                try await Task.sleep(until: due, clock: .continuous)
                state.withLock { $0 = max($0, ContinuousClock.now - due) }
            }
        }
        defer { meter.cancel() }
        return try await body()
    }
}
