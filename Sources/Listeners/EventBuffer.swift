import ChatModel
import Synchronization

/// What was heard and is not yet stored: filled by whoever reads, emptied by one task, bounded by bytes.
///
/// What is pushed is in at once and in order, so that a push made under a lock keeps the lock's order; it is
/// ``room()`` that waits. So the bound may be exceeded by one push of each producer, and by no more.
///
/// What waits and the batch that is being stored count against the process's ``BufferBudget``, too.
final class EventBuffer: Sendable {
    /// 4 MiB: a second of what one account's writer can store, and little for a process.
    static let defaultLimit = 4 * 1024 * 1024
    /// Where a batch stops taking more: past a thousand rows a transaction, a row gets no cheaper.
    static let batchEvents = 1000
    /// The same by bytes, as an event may have 100 KB: what is being stored is in memory, too.
    static let batchBytes = 1024 * 1024

    private struct State {
        var pushes: [[ChatEvent]] = []
        var bytes = 0
        /// Of the batch that is being stored.
        var takenBytes = 0
        /// Drawn from the budget.
        var drawn = 0
        /// Events that were pushed and are not known to be stored, and how many of them are given out.
        var (unstored, givenOut) = (0, 0)
        var isFinished = false
        var isAbandoned = false
        var nextProducer = 0
        var producers: [Int: CheckedContinuation<Void, Never>] = [:]
        var consumer: CheckedContinuation<Void, Never>?
        /// Pushes, and how many of them were taken and stored.
        var (pushed, taken, stored) = (0, 0, 0)
        /// Who waits for so many to be stored.
        var nextReader = 0
        var readers: [Int: (pushes: Int, continuation: CheckedContinuation<Void, Never>)] = [:]

        /// Those that need not wait any more.
        mutating func removeReaders() -> [CheckedContinuation<Void, Never>] {
            let done = readers.filter { isAbandoned || $0.value.pushes <= stored }
            for key in done.keys { readers[key] = nil }
            return done.values.map(\.continuation)
        }
    }

    private let limit: Int
    private let budget: BufferBudget
    private let state = Mutex(State())

    /// - Parameter limit: In bytes, approximately.
    init(limit: Int = defaultLimit, budget: BufferBudget = .process) {
        (self.limit, self.budget) = (limit, budget)
    }

    deinit {
        budget.giveBack(state.withLock { $0.drawn })
    }

    /// Approximately what waits.
    var bytes: Int { state.withLock { $0.bytes } }

    /// Events that were heard and are not known to be stored; after ``abandon()``, those that are lost.
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

    /// Returns when less than the limit waits, or nobody empties the buffer any more, or the task is cancelled.
    func room() async {
        let producer = state.withLock { state in
            state.nextProducer += 1
            return state.nextProducer
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    if hasRoom(state) || state.isAbandoned || Task.isCancelled { return false }
                    state.producers[producer] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.producers.removeValue(forKey: producer) }?.resume()
        }
    }

    /// Returns when all that was pushed so far is stored, or never will be, or the task is cancelled.
    func stored() async {
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

    /// All that waits, up to ``batchEvents`` and the rest of the push that reaches them; waits for the first; nil when
    /// the buffer is finished and empty. Cancellation doesn't end it: what was heard is still to be stored. What was given
    /// out before counts as stored.
    func next() async -> [ChatEvent]? {
        let readers = state.withLock { state in
            state.stored = state.taken
            state.takenBytes = 0
            balance(&state)
            state.unstored -= state.givenOut
            state.givenOut = 0
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

    /// Nothing more is pushed.
    func finish() {
        let consumer = state.withLock { state in
            state.isFinished = true
            return state.consumer.take()
        }
        consumer?.resume()
    }

    /// Nobody empties the buffer any more: what waits is dropped, and who waits goes on.
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
            state.givenOut = batch.count
            state.bytes = state.pushes.isEmpty ? 0 : state.bytes - bytes
            guard hasRoom(state) else { return (batch, [] as [CheckedContinuation<Void, Never>]) }
            defer { state.producers = [:] }
            return (batch, Array(state.producers.values))
        }
        for producer in producers { producer.resume() }
        return batch.isEmpty ? nil : batch
    }

    private func hasRoom(_ state: State) -> Bool {
        state.bytes < limit && state.bytes + state.takenBytes <= BufferBudget.ownBytes + state.drawn
    }

    /// Draws from the budget what is held beyond the own share, where that is left, and gives back what is held no longer.
    private func balance(_ state: inout State) {
        let wanted = max(0, state.bytes + state.takenBytes - BufferBudget.ownBytes)
        if wanted > state.drawn {
            state.drawn += budget.draw(wanted - state.drawn)
        } else {
            budget.giveBack(state.drawn - wanted)
            state.drawn = wanted
        }
    }
}
