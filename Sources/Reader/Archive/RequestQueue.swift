import Dispatch
import Files
import Synchronization

/// Answers requests on a thread of its own, one after the other.
///
/// A request replaces an earlier one of its kind. One that somebody waits for interrupts the reading of one in the
/// background, which begins again after it.
package final class RequestQueue: Sendable {
    private struct State {
        var waiting: [ReaderRequest] = []
        /// The request that is being read.
        var running: (request: ReaderRequest, limit: ReadLimit)?
        /// False when the answer of the running request is no longer wanted.
        var isRunningWanted = true
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "the reader's archive")
    private let answer: @Sendable (ReaderRequest) -> ReaderAnswer?
    private let receive: @Sendable (ReaderRequest, ReaderAnswer) -> Void

    /// - Parameters:
    ///   - answer: Reads; returns nil if reading was cancelled.
    ///   - receive: Receives each answer on the queue's thread.
    package init(
        answer: @escaping @Sendable (ReaderRequest) -> ReaderAnswer?,
        receive: @escaping @Sendable (ReaderRequest, ReaderAnswer) -> Void
    ) {
        (self.answer, self.receive) = (answer, receive)
    }

    package func add(_ request: ReaderRequest) {
        let interrupted = state.withLock { state -> ReadLimit? in
            state.waiting.removeAll { $0.kind == request.kind }
            state.waiting.append(request)
            guard let running = state.running else { return nil }
            let isReplaced = running.request.kind == request.kind
            guard isReplaced || running.request.isInBackground && !request.isInBackground else { return nil }
            if isReplaced { state.isRunningWanted = false }
            return running.limit
        }
        interrupted?.cancel()
        queue.async { self.work() }
    }

    /// Ends the reading that is going on, and drops what waits.
    package func cancelAll() {
        let limit = state.withLock { state -> ReadLimit? in
            state.waiting = []
            state.isRunningWanted = false
            return state.running?.limit
        }
        limit?.cancel()
    }

    /// Reads the next request, one that somebody waits for before those in the background.
    private func work() {
        let limit = ReadLimit()
        let next = state.withLock { state -> ReaderRequest? in
            guard let index = state.waiting.firstIndex(where: { !$0.isInBackground }) ?? state.waiting.indices.first
            else { return nil }
            let request = state.waiting.remove(at: index)
            (state.running, state.isRunningWanted) = ((request, limit), true)
            return request
        }
        guard let next else { return }
        let found = ReadLimit.$current.withValue(limit) { answer(next) }
        let (isWanted, restarts) = state.withLock { state in
            let isWanted = state.isRunningWanted
            let isReplaced = state.waiting.contains { $0.kind == next.kind }
            let restarts = found == nil && isWanted && !isReplaced
            if restarts { state.waiting.append(next) }
            state.running = nil
            return (isWanted, restarts)
        }
        if let found, isWanted { receive(next, found) }
        if restarts { queue.async { self.work() } }
    }
}
