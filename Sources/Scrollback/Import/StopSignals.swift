import Foundation
import Synchronization
import UnixSignals

/// The first SIGINT or SIGTERM asks long work to stop where it can be gone on with, the second ends the process at once.
final class StopSignals: Sendable {
    private let received = Atomic<Int32>(0)

    /// 0 while there was none.
    var number: Int32 { received.load(ordering: .relaxed) }

    /// Runs `body` meanwhile.
    func watched<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup { tasks in
            tasks.addTask { [self] in
                for await signal in signals {
                    // As a shell reports a process that a signal ended.
                    if number != 0 { _exit(128 + signal.rawValue) }
                    received.store(signal.rawValue, ordering: .relaxed)
                }
            }
            defer { tasks.cancelAll() }
            return try await body()
        }
    }
}
