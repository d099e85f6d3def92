import Archive
import Synchronization

/// The places for running requests: each has a thread that may wait for a disk, and accounts that stay open between
/// requests. ``FairQueue`` shares them out.
///
/// An account is released two seconds after its last request, because a process that moves, compresses or erases the
/// account waits until no process has it open.
final class ReadingPool: Sendable {
    private let source: ArchiveSource
    private let state: Mutex<State>

    private struct Place {
        let thread = OwnThread()
        var reading: ArchiveReading?
        var lastRelease = ContinuousClock.now
    }

    private struct State {
        var idle: [Place]
        var queue: FairQueue
        var waiting: [FairQueue.Request: CheckedContinuation<Place?, Never>] = [:]
        var next = 0
    }

    /// The pool and the reading of the place that the current task took last.
    @TaskLocal private static var held: (pool: ReadingPool, reading: ArchiveReading)?

    /// The time after which an unused account is released.
    static let hold = Duration.seconds(2)
    /// The longest time that a request reads, in seconds. A regular expression has 10 s, and what was found by then is the
    /// answer.
    static let seconds = 15
    /// The longest time that a request reads with compressed accounts, which it expands.
    static let coldSeconds = 60
    /// The bytes of messages after which a page ends early.
    static let pageBytes = 1 << 20

    /// More requests wait than may.
    struct Busy: Error {}

    init(source: ArchiveSource, limits: FairQueue.Limits = FairQueue.Limits()) {
        self.source = source
        state = Mutex(State(idle: (0..<limits.running).map { _ in Place() }, queue: FairQueue(limits)))
    }

    /// Runs the body in a place: the current task's place, or the next free one. The body's reading ends when the time is
    /// up, when the task is cancelled, or when the client of the connection has gone.
    ///
    /// - Throws: ``Busy`` if too many requests wait; a cancellation while the request waits.
    func read<Result: Sendable>(
        as share: Share, _ body: @Sendable (ArchiveReading) async throws -> Result
    ) async throws -> Result {
        if let held = Self.held, held.pool === self { return try await body(held.reading) }
        let request = state.withLock { state in
            state.next += 1
            return FairQueue.Request(number: state.next, share: share)
        }
        let (limit, connection) = (ReadLimit(), Connection.current)
        let end: @Sendable () -> Void = { [self] in
            limit.cancel()
            leave(request)
        }
        connection?.whenGone(end)
        defer { connection?.whenGone(nil) }
        return try await withTaskCancellationHandler {
            try await read(in: take(request, limit), of: share, limit, body)
        } onCancel: {
            end()
        }
    }

    private func read<Result: Sendable>(
        in taken: Place, of share: Share, _ limit: ReadLimit,
        _ body: @Sendable (ArchiveReading) async throws -> Result
    ) async throws -> Result {
        var place = taken
        let reading = place.reading ?? source.reading().bounded(pageBytes: Self.pageBytes)
        place.reading = reading
        defer { give(place, share) }
        // The answers of the sender may have filled the memory while the request waited.
        try Connection.current?.checkUnsent(share)
        limit.end(in: Self.seconds)
        return try await ReadLimit.$current.withValue(limit) {
            try await Self.$held.withValue((self, reading)) {
                try await place.thread.run { try await body(reading) }
            }
        }
    }

    /// Releases accounts that are not used, until the task is cancelled.
    func sweep() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil { release(unusedFor: Self.hold) }
        release(unusedFor: .zero)
    }

    func release(unusedFor time: Duration) {
        let idle = state.withLock { $0.idle.compactMap(\.reading) }
        for reading in idle { reading.release(unusedFor: time) }
    }

    private func take(_ request: FairQueue.Request, _ limit: ReadLimit) async throws -> Place {
        let place = await withCheckedContinuation { (continuation: CheckedContinuation<Place?, Never>) in
            enter(request, limit, continuation)
        }
        guard let place else { throw limit.isOver ? CancellationError() as any Error : Busy() }
        return place
    }

    private func enter(
        _ request: FairQueue.Request, _ limit: ReadLimit, _ continuation: CheckedContinuation<Place?, Never>
    ) {
        let answer: Place?? = state.withLock { state in
            // Nobody waits for the answer any more. Later, `leave` ends the wait.
            guard !limit.isOver else { return .some(nil) }
            switch state.queue.enter(request) {
            // The place that was used last still has open accounts.
            case .runs: return .some(state.idle.popLast())
            case .refused: return .some(nil)
            case .waits:
                state.waiting[request] = continuation
                return nil
            }
        }
        if let answer { continuation.resume(returning: answer) }
    }

    private func leave(_ request: FairQueue.Request) {
        let continuation = state.withLock { state -> CheckedContinuation<Place?, Never>? in
            guard state.queue.leave(request) else { return nil }
            return state.waiting.removeValue(forKey: request)
        }
        continuation?.resume(returning: nil)
    }

    private func give(_ used: Place, _ share: Share) {
        var place = used
        // The sweep releases only accounts of idle places, so a place that is always busy releases its own.
        if .now - place.lastRelease > Self.hold {
            place.reading?.release(unusedFor: Self.hold)
            place.lastRelease = .now
        }
        let started = state.withLock { [place] state in
            state.idle.append(place)
            return state.queue.finish(share).map { request in
                (state.waiting.removeValue(forKey: request), state.idle.popLast())
            }
        }
        for (continuation, place) in started { continuation?.resume(returning: place) }
    }
}
