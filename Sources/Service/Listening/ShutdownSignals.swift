import Glibc
package import ServiceLifecycle
import Settings
import UnixSignals

/// Handles the signals of a service group. The first SIGTERM or SIGINT asks the group to stop in time
/// (``StopDeadline``); the second ends the process at once. SIGHUP requests a reload if wanted; if it comes from a
/// terminal that hangs up, it requests a stop.
package struct ShutdownSignals: Sendable {
    /// The requests to reload: one element for each SIGHUP, or for several that came together.
    package let reloads: AsyncStream<Void>
    private let reload: AsyncStream<Void>.Continuation
    private let signals: UnixSignalsSequence
    private let deadline: StopDeadline
    /// True if the process was started on a terminal. A terminal that has hung up can't be detected later.
    private let isOnTerminal = isatty(STDIN_FILENO) == 1 || isatty(STDERR_FILENO) == 1

    /// Handles the signals from now on. They no longer end the process.
    ///
    /// - Parameters:
    ///   - reloading: True to handle SIGHUP as well.
    ///   - unfinished: Returns the work that did not end in time, for people.
    package init(reloading: Bool = false, unfinished: @escaping @Sendable () -> String = { StopDeadline.defaultReport })
        async
    {
        (reloads, reload) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        signals = await UnixSignalsSequence(trapping: [.sigterm, .sigint] + (reloading ? [.sighup] : []))
        deadline = StopDeadline(status: EXIT_FAILURE, unfinished: unfinished)
        await deadline.watch([SIGTERM, SIGINT] + (reloading && isOnTerminal ? [SIGHUP] : []))
    }

    /// True once a stop was requested.
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
