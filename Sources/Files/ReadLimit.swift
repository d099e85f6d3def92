import Synchronization

/// The end of the reading of one request: its time is up, or nobody waits for the answer.
///
/// Every read of the task or the thread that carries the limit ends soon after it: SQLite's statements, regular expressions, and the
/// expansion of compressed accounts. A command has no limit, because its user ends it.
package final class ReadLimit: Sendable {
    /// The limit of the current task, or of the body that runs on another thread for it; nil for none.
    @TaskLocal package static var current: ReadLimit?

    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    private struct State {
        var isCancelled = false
        var whenCancelled: (@Sendable () -> Void)?
        /// The end and the seconds before it; nil for no end.
        var end: (at: ContinuousClock.Instant, seconds: Int)?
    }

    /// Creates a limit without an end.
    package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    /// Sets the end to some seconds from now.
    package func end(in seconds: Int) {
        let end = now() + .seconds(seconds)
        state.withLock { $0.end = (end, seconds) }
    }

    /// Ends reading now, because nobody waits for the answer.
    package func cancel() {
        let action = state.withLock { state in
            state.isCancelled = true
            return state.whenCancelled
        }
        action?()
    }

    /// Runs the action when reading is cancelled, now if it is; nil for none.
    package func whenCancelled(_ action: (@Sendable () -> Void)?) {
        let isCancelled = state.withLock { state in
            state.whenCancelled = action
            return state.isCancelled
        }
        if isCancelled { action?() }
    }

    package var isOver: Bool {
        let (isCancelled, end) = state.withLock { ($0.isCancelled, $0.end?.at) }
        return isCancelled || end.map { now() >= $0 } ?? false
    }

    /// - Throws: ``ArchiveError`` with `stopped` when the time is up; a cancellation when nobody waits.
    package func check() throws {
        try checkCancellation()
        guard let end = state.withLock(\.end), now() >= end.at else { return }
        throw ArchiveError(code: .stopped, detail: "reading took longer than \(end.seconds) s")
    }

    /// - Throws: A cancellation when nobody waits.
    package func checkCancellation() throws {
        if state.withLock(\.isCancelled) { throw CancellationError() }
    }
}
