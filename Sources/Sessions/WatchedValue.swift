import Synchronization

/// A value that may change while tasks use it.
package final class WatchedValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var nextWatcher = 0
        var watchers: [Int: AsyncStream<Value>.Continuation] = [:]
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    package var value: Value { state.withLock { $0.value } }

    /// Replaces the value, and sends it to all streams of ``values()``.
    package func change(to value: Value) {
        state.withLock { state in
            state.value = value
            for watcher in state.watchers.values { watcher.yield(value) }
        }
    }

    /// Returns a stream of the present value and each later one. A slow reader gets only the latest.
    package func values() -> AsyncStream<Value> {
        let (values, watcher) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = watcher
            watcher.yield(state.value)
            return state.nextWatcher
        }
        watcher.onTermination = { [weak self] _ in
            self?.forget(number)
        }
        return values
    }

    /// Runs `operation` with a part of the value, and cancels it when that part changes.
    package func whileSame<Part: Equatable & Sendable & SendableMetatype>(
        _ part: @escaping @Sendable (Value) -> Part, _ operation: @escaping @Sendable (Part) async -> Void
    ) async {
        let known = part(value)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await operation(known) }
            group.addTask {
                for await value in self.values() where part(value) != known { return }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func forget(_ number: Int) {
        state.withLock { _ = $0.watchers.removeValue(forKey: number) }
    }
}
