package import ChatModel
import Synchronization

/// The received events that are not stored yet. Readers fill the buffer, one task empties it, and its size is limited.
///
/// A push never waits, so pushes under a lock keep the lock's order; producers wait in ``room()`` instead. So each
/// producer may exceed the limit by one push.
///
/// The waiting events and the batch that is being stored also count against the process's ``BufferBudget``.
package final class EventBuffer: Sendable {
    /// 4 MiB: as much as one account's writer stores in a second, and small for a process.
    static let defaultLimit = 4 * 1024 * 1024
    /// The number of events that ends a batch: more than 1,000 rows in a transaction are not faster.
    static let batchEvents = 1000
    /// The size in bytes that ends a batch, because an event may have 100 KB and the batch that is being stored is also
    /// in memory.
    static let batchBytes = 1024 * 1024

    private struct State {
        var pushes: [[ChatEvent]] = []
        var bytes = 0
        /// The size of the batch that is being stored.
        var takenBytes = 0
        /// The bytes taken from the common budget.
        var drawn = 0
        /// The number of pushed events that are not known to be stored, and how many of them were taken out.
        var (unstored, inStorage) = (0, 0)
        var isFinished = false
        var isAbandoned = false
        var nextProducer = 0
        var producers: [Int: CheckedContinuation<Void, Never>] = [:]
        var consumer: CheckedContinuation<Void, Never>?
        /// The number of pushes, and how many of them were taken and stored.
        var (pushed, taken, stored) = (0, 0, 0)
        /// The callers of ``waitUntilStored()``, each with the number of pushes that it waits for.
        var nextReader = 0
        var readers: [Int: (pushes: Int, continuation: CheckedContinuation<Void, Never>)] = [:]

        /// Removes the readers that no longer need to wait.
        mutating func removeReaders() -> [CheckedContinuation<Void, Never>] {
            let done = readers.filter { isAbandoned || $0.value.pushes <= stored }
            for key in done.keys { readers[key] = nil }
            return done.values.map(\.continuation)
        }
    }

    private let limit: Int
    private let budget: BufferBudget
    private let state = Mutex(State())

    /// - Parameter limit: The limit in bytes, by approximate sizes.
    init(limit: Int = defaultLimit, budget: BufferBudget = .process) {
        (self.limit, self.budget) = (limit, budget)
    }

    deinit {
        budget.release(state.withLock { $0.drawn })
    }

    /// The approximate size of the waiting events, in bytes.
    var bytes: Int { state.withLock { $0.bytes } }

    /// The number of received events that are not known to be stored; after ``abandon()``, the number of lost events.
    package var unstored: Int { state.withLock { $0.unstored } }

    /// Adds events, which are stored in one transaction. Ignores them after ``finish()``; after ``abandon()`` they only
    /// count as lost.
    package func push(_ events: [ChatEvent]) {
        guard !events.isEmpty else { return }
        let consumer = state.withLock { state in
            guard !state.isFinished else { return nil as CheckedContinuation<Void, Never>? }
            state.unstored += events.count
            guard !state.isAbandoned else { return nil }
            state.pushes.append(events)
            state.pushed += 1
            state.bytes += events.approximateBytes
            balance(&state)
            return state.consumer.take()
        }
        consumer?.resume()
    }

    /// Returns when the waiting events are below the limit, the buffer is abandoned, or the task is cancelled.
    package func waitForSpace() async {
        let producer = state.withLock { state in
            state.nextProducer += 1
            return state.nextProducer
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    if hasSpace(state) || state.isAbandoned || Task.isCancelled { return false }
                    state.producers[producer] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.producers.removeValue(forKey: producer) }?.resume()
        }
    }

    /// Returns when all events that were pushed so far are stored or lost, or when the task is cancelled.
    package func waitUntilStored() async {
        let reader = state.withLock { state in
            state.nextReader += 1
            return state.nextReader
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    if state.stored >= state.pushed || state.isAbandoned || Task.isCancelled { return false }
                    state.readers[reader] = (state.pushed, continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.readers.removeValue(forKey: reader) }?.continuation.resume()
        }
    }

    /// Returns the waiting events, up to ``batchEvents`` and the rest of the push that reaches them. Waits for the
    /// first event; nil if the buffer is finished and empty. Cancellation does not end the wait, because received
    /// events must be stored. The batch that the last call returned counts as stored.
    func next() async -> [ChatEvent]? {
        let readers = state.withLock { state in
            state.stored = state.taken
            state.takenBytes = 0
            balance(&state)
            state.unstored -= state.inStorage
            state.inStorage = 0
            return state.removeReaders()
        }
        for reader in readers { reader.resume() }
        while true {
            // Checks this first, because no events are pushed after the end.
            let isOver = state.withLock { $0.isFinished || $0.isAbandoned }
            if let batch = takeBatch() { return batch }
            if isOver { return nil }
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    if !state.pushes.isEmpty || state.isFinished || state.isAbandoned { return false }
                    state.consumer = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        }
    }

    /// Ends the pushing: later pushes are ignored, and ``next()`` returns nil after the remaining events.
    func finish() {
        let consumer = state.withLock { state in
            state.isFinished = true
            return state.consumer.take()
        }
        consumer?.resume()
    }

    /// Ends the storing: drops the waiting events, and resumes all waiting callers.
    func abandon() {
        let (waiting, consumer) = state.withLock { state in
            state.isAbandoned = true
            state.pushes = []
            (state.bytes, state.takenBytes) = (0, 0)
            balance(&state)
            defer { state.producers = [:] }
            return (state.producers.values + state.removeReaders(), state.consumer.take())
        }
        for continuation in waiting { continuation.resume() }
        consumer?.resume()
    }

    private func takeBatch() -> [ChatEvent]? {
        let (batch, producers) = state.withLock { state in
            var batch: [ChatEvent] = []
            var (count, bytes) = (0, 0)
            while count < state.pushes.count, batch.count < Self.batchEvents, bytes < Self.batchBytes {
                batch += state.pushes[count]
                bytes += state.pushes[count].approximateBytes
                count += 1
            }
            state.pushes.removeFirst(count)
            state.taken += count
            state.takenBytes = bytes
            state.inStorage = batch.count
            state.bytes = state.pushes.isEmpty ? 0 : state.bytes - bytes
            guard hasSpace(state) else { return (batch, [] as [CheckedContinuation<Void, Never>]) }
            defer { state.producers = [:] }
            return (batch, Array(state.producers.values))
        }
        for producer in producers { producer.resume() }
        return batch.isEmpty ? nil : batch
    }

    private func hasSpace(_ state: State) -> Bool {
        state.bytes < limit && state.bytes + state.takenBytes <= BufferBudget.ownBytes + state.drawn
    }

    /// Takes bytes from the common budget for the events above the own share, if enough are left, and returns unused
    /// bytes.
    private func balance(_ state: inout State) {
        let wanted = max(0, state.bytes + state.takenBytes - BufferBudget.ownBytes)
        if wanted > state.drawn {
            state.drawn += budget.draw(wanted - state.drawn)
        } else {
            budget.release(state.drawn - wanted)
            state.drawn = wanted
        }
    }
}
