import Foundation
import ServiceLifecycle
import UnixSignals

/// The first SIGTERM or SIGINT asks a group to stop, the second ends the process at once. Where it is wanted, SIGHUP asks for
/// something to be read again; where a terminal is what hangs up, it asks to stop.
struct ShutdownSignals: Sendable {
    /// One for each SIGHUP, or for several that came while nobody looked.
    let reloads: AsyncStream<Void>
    private let reload: AsyncStream<Void>.Continuation
    private let signals: UnixSignalsSequence
    /// As it was at the start: one that has hung up is none any more.
    private let isOnTerminal = isatty(STDIN_FILENO) == 1 || isatty(STDERR_FILENO) == 1

    /// From now on a signal no longer ends the process by itself.
    ///
    /// - Parameter reloading: Whether SIGHUP is one of them.
    init(reloading: Bool = false) async {
        (reloads, reload) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        signals = await UnixSignalsSequence(trapping: [.sigterm, .sigint] + (reloading ? [.sighup] : []))
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
            if signal == .sighup {
                // A shell and the terminal may both send one: a second one ends nothing.
                if isOnTerminal { await group.triggerGracefulShutdown() } else { reload.yield() }
                continue
            }
            // As a shell reports a process that a signal ended.
            if isStopping { _exit(128 + signal.rawValue) }
            isStopping = true
            await group.triggerGracefulShutdown()
        }
    }
}
