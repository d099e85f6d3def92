import Foundation
import ServiceLifecycle
import UnixSignals

/// The first SIGTERM or SIGINT asks a group to stop, the second ends the process at once.
struct ShutdownSignals: Sendable {
    private let signals: UnixSignalsSequence

    /// From now on a signal no longer ends the process by itself.
    init() async {
        signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    }

    /// Runs the group until it has stopped.
    func run(_ group: ServiceGroup) async throws {
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { await watch(group) }
            defer { tasks.cancelAll() }
            try await group.run()
        }
    }

    private func watch(_ group: ServiceGroup) async {
        var isStopping = false
        for await signal in signals {
            // As a shell reports a process that a signal ended.
            if isStopping { _exit(128 + signal.rawValue) }
            isStopping = true
            await group.triggerGracefulShutdown()
        }
    }
}
