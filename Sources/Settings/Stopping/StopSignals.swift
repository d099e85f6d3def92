import Glibc
import Synchronization

/// Handles signals during long work. The first SIGINT or SIGTERM requests a stop at a place from which the work can
/// resume, in time (``StopDeadline``); the second ends the process at once.
package final class StopSignals: Sendable {
    private let received = Atomic<Int32>(0)

    package init() {}

    /// The signal that was received; 0 when there was none.
    package var number: Int32 { received.load(ordering: .relaxed) }

    /// Runs `body` while handling the signals.
    package func watched<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let deadline = StopDeadline()
        await deadline.watch([SIGINT, SIGTERM]) { [self] in received.store($0, ordering: .relaxed) }
        defer { withExtendedLifetime(deadline) {} }
        return try await body()
    }
}
