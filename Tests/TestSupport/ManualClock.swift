import Synchronization

/// A clock that moves only when a test advances it.
package final class ManualClock: Clock {
    package struct Instant: InstantProtocol {
        /// The time since the clock was created.
        package var offset: Duration

        package func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        package func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        package static func < (a: Instant, b: Instant) -> Bool {
            a.offset < b.offset
        }
    }

    private struct Sleeper {
        var deadline: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Duration.zero
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [(deadline: Duration, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var now: Instant { Instant(offset: state.withLock { $0.now }) }
    package var minimumResolution: Duration { .zero }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                fallAsleep(id, until: deadline.offset, continuation)
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the clock, and wakes the tasks whose deadline has come.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Waits until a task sleeps until exactly `offset` after the clock's creation, and advances the clock to that
    /// time.
    package func advance(toSleeperAt offset: Duration) async {
        await sleeper(at: offset)
        advance(by: offset - now.offset)
    }

    /// Returns when a task sleeps until exactly `offset` after the clock's creation.
    package func sleeper(at offset: Duration) async {
        await withCheckedContinuation { continuation in
            let sleeps = state.withLock { state in
                if state.sleepers.values.contains(where: { $0.deadline == offset }) { return true }
                state.watchers.append((offset, continuation))
                return false
            }
            if sleeps { continuation.resume() }
        }
    }

    private func fallAsleep(_ id: Int, until deadline: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
        let isCancelled = Task.isCancelled
        let (sleeps, watchers) = state.withLock { state in
            guard !isCancelled, deadline > state.now else { return (false, [CheckedContinuation<Void, Never>]()) }
            state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
            let watchers = state.watchers.filter { $0.deadline == deadline }
            state.watchers.removeAll { $0.deadline == deadline }
            return (true, watchers.map(\.continuation))
        }
        if !sleeps {
            if isCancelled { continuation.resume(throwing: CancellationError()) } else { continuation.resume() }
        }
        for watcher in watchers { watcher.resume() }
    }
}
