import Foundation
package import ServiceLifecycle
import UnixSignals

/// The first SIGTERM or SIGINT asks a group to stop, which has to be done in time (``StopDeadline``); the second ends the
/// process at once. Where it is wanted, SIGHUP asks for something to be read again; where a terminal is what hangs up, it asks
/// to stop.
package struct ShutdownSignals: Sendable {
    /// One for each SIGHUP, or for several that came while nobody looked.
    package let reloads: AsyncStream<Void>
    private let reload: AsyncStream<Void>.Continuation
    private let signals: UnixSignalsSequence
    private let deadline: StopDeadline
    /// As it was at the start: one that has hung up is none any more.
    private let isOnTerminal = isatty(STDIN_FILENO) == 1 || isatty(STDERR_FILENO) == 1

    /// From now on a signal no longer ends the process by itself.
    ///
    /// - Parameters:
    ///   - reloading: Whether SIGHUP is one of them.
    ///   - left: What did not end in time, for people.
    package init(reloading: Bool = false, left: @escaping @Sendable () -> String = { StopDeadline.unfinished }) async {
        (reloads, reload) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        signals = await UnixSignalsSequence(trapping: [.sigterm, .sigint] + (reloading ? [.sighup] : []))
        deadline = StopDeadline(status: EXIT_FAILURE, left: left)
        deadline.watch([SIGTERM, SIGINT] + (reloading && isOnTerminal ? [SIGHUP] : []))
    }

    /// True once a stop was asked for.
    package var isStopping: Bool { deadline.isRunning }

    /// Runs the group until it has stopped.
    package func run(_ group: ServiceGroup) async throws {
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { await watch(group) }
            defer { tasks.cancelAll() }
            try await group.run()
        }
    }

    private func watch(_ group: ServiceGroup) async {
        for await signal in signals {
            if signal == .sighup, !isOnTerminal { reload.yield() } else { await group.triggerGracefulShutdown() }
        }
    }
}
