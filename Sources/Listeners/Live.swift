import Synchronization

/// A value that others go by, and that may be replaced meanwhile.
package final class Live<Value: Sendable>: Sendable {
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

    package func change(to value: Value) {
        state.withLock { state in
            state.value = value
            for watcher in state.watchers.values { watcher.yield(value) }
        }
    }

    /// The value there is, and each that takes its place; who is slow gets the last of them.
    func values() -> AsyncStream<Value> {
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

    /// Runs `operation` by a part of the value, and cancels it when that is another.
    func whileSame<Part: Equatable & Sendable & SendableMetatype>(
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
