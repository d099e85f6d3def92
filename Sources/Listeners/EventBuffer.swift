import ChatModel
import Synchronization

/// Events that were received and are not yet stored: filled by the readers, emptied by one task, limited in bytes.
///
/// A push is in the buffer at once and in order, so that pushes under a lock keep the lock's order; ``waitForSpace()`` is what
/// waits. So each producer may exceed the limit by one push, and by no more.
///
/// The waiting events and the batch that is being stored also count against the process's ``BufferBudget``.
final class EventBuffer: Sendable {
    /// 4 MiB: as much as one account's writer stores in a second, and little for a process.
    static let defaultLimit = 4 * 1024 * 1024
    /// The number of events that ends a batch: beyond a thousand rows in a transaction, a row gets no cheaper.
    static let batchEvents = 1000
    /// The size that ends a batch, as an event may have 100 KB: the batch that is being stored is in memory, too.
    static let batchBytes = 1024 * 1024

    private struct State {
        var pushes: [[ChatEvent]] = []
        var bytes = 0
        /// The size of the batch that is being stored.
        var takenBytes = 0
        /// Bytes drawn from the budget.
        var drawn = 0
        /// Events that were pushed and are not known to be stored, and how many of them were taken out.
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

        /// Removes the readers that need not wait any more.
        mutating func removeReaders() -> [CheckedContinuation<Void, Never>] {
            let done = readers.filter { isAbandoned || $0.value.pushes <= stored }
            for key in done.keys { readers[key] = nil }
            return done.values.map(\.continuation)
        }
    }

    private let limit: Int
    private let budget: BufferBudget
    private let state = Mutex(State())

    /// - Parameter limit: The limit in bytes, which are approximate.
    init(limit: Int = defaultLimit, budget: BufferBudget = .process) {
        (self.limit, self.budget) = (limit, budget)
    }

    deinit {
        budget.release(state.withLock { $0.drawn })
    }

    /// The approximate size of the waiting events, in bytes.
    var bytes: Int { state.withLock { $0.bytes } }

    /// Events that were received and are not known to be stored; after ``abandon()``, those that are lost.
    var unstored: Int { state.withLock { $0.unstored } }

    /// Adds events that are stored in one transaction. Ignored after ``finish()`` or ``abandon()``.
    func push(_ events: [ChatEvent]) {
        guard !events.isEmpty else { return }
        let consumer = state.withLock { state in
            guard !state.isFinished, !state.isAbandoned else { return nil as CheckedContinuation<Void, Never>? }
            state.pushes.append(events)
            state.pushed += 1
            state.unstored += events.count
            state.bytes += events.approximateBytes
            balance(&state)
            return state.consumer.take()
        }
        consumer?.resume()
    }

    /// Returns when less than the limit waits, or the buffer is abandoned, or the task is cancelled.
    func waitForSpace() async {
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

    /// Returns when all that was pushed so far is stored, or never will be, or when the task is cancelled.
    func waitUntilStored() async {
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

    /// Returns all that waits, up to ``batchEvents`` and the rest of the push that reaches them. Waits for the first
    /// event; nil when the buffer is finished and empty. Cancellation does not end it, as the received events are still
    /// to be stored. The batch that it returned before counts as stored.
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
            // In this order: nothing is pushed once it is over.
            let isOver = state.withLock { $0.isFinished || $0.isAbandoned }
            if let batch = take() { return batch }
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

    /// Ends the pushing: later pushes are ignored, and ``next()`` returns nil after what is left.
    func finish() {
        let consumer = state.withLock { state in
            state.isFinished = true
            return state.consumer.take()
        }
        consumer?.resume()
    }

    /// Ends the storing: drops what waits, and resumes everyone who waits.
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

    private func take() -> [ChatEvent]? {
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

    /// Draws from the budget what is held beyond the own share, where that much is left, and gives back what is no
    /// longer held.
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
