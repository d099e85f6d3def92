import Synchronization

/// A value that tasks change. A test can wait for its changes.
package final class Watched<Value: Sendable>: Sendable {
    private typealias Watcher = (isMet: @Sendable (Value) -> Bool, continuation: CheckedContinuation<Void, Never>)

    private struct State {
        var value: Value
        var watchers: [Watcher] = []
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    package var value: Value { state.withLock { $0.value } }

    @discardableResult
    package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        let (result, met) = state.withLock { state in
            let result = body(&state.value)
            let met = state.watchers.filter { $0.isMet(state.value) }
            state.watchers.removeAll { $0.isMet(state.value) }
            return (result, met.map(\.continuation))
        }
        for watcher in met { watcher.resume() }
        return result
    }

    /// Returns after the condition was true. It may be false again by then. Give the test a time limit.
    package func wait(until isMet: @escaping @Sendable (Value) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMetNow = state.withLock { state in
                if isMet(state.value) { return true }
                state.watchers.append((isMet, continuation))
                return false
            }
            if isMetNow { continuation.resume() }
        }
    }
}
