import Synchronization

/// An event that happens once. Any number of tasks can wait for it.
package final class Signal: Sendable {
    private struct State {
        package var isSet = false
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package var isSet: Bool { state.withLock { $0.isSet } }

    /// Sets the signal permanently, and resumes all waiting tasks. Has no effect the second time.
    package func set() {
        let waiters = state.withLock { state in
            state.isSet = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the signal is set, or if the task is cancelled.
    package func wait() async {
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    // The cancellation handler below runs before this line, or finds the continuation after it.
                    if state.isSet || Task.isCancelled { return false }
                    state.waiters[waiter] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume()
        }
    }

    /// Runs `operation`, and cancels it if the signal is set first, unless `isExempt` returns true at that time.
    package func cancelling<Outcome: Sendable>(
        unless isExempt: @Sendable () -> Bool = { false }, _ operation: @escaping @Sendable () async -> Outcome
    ) async -> Outcome {
        await withTaskGroup(of: Outcome?.self) { group in
            group.addTask { await operation() }
            group.addTask {
                await self.wait()
                return nil
            }
            for await result in group {
                if let result {
                    group.cancelAll()
                    return result
                }
                if !isExempt() { group.cancelAll() }
            }
            preconditionFailure("the operation has returned")
        }
    }
}
