import Archive
import Dispatch
import Files
import Reading
import Rendering
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
        /// The place's thread.
        let thread = DispatchQueue(label: "a place")
        var reading: ArchiveReading?
        var lastRelease = ContinuousClock.now
    }

    private struct State {
        var idle: [Place]
        var queue: FairQueue
        var waiting: [FairQueue.Request: @Sendable (Place?) -> Void] = [:]
        var next = 0
    }

    /// The pool and the reading of the place on whose thread the caller runs; of two, the one taken last.
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

    /// Runs the body in the next free place, on its thread, with the request's connection and the server's address. The
    /// body's reading ends when the time is up, when the task is cancelled, or when the client of the connection has gone.
    ///
    /// - Throws: ``Busy`` if too many requests wait; a cancellation while the request waits.
    func perform<Result: Sendable>(
        as share: Share, _ body: @escaping @Sendable (ArchiveReading) throws -> Result
    ) async throws -> Result {
        let (request, limit, connection, root) = (request(of: share), ReadLimit(), Connection.current, HTMLAddress.root)
        let end = end(of: request, limit)
        connection?.whenGone(end)
        defer { connection?.whenGone(nil) }
        return try await withTaskCancellationHandler {
            let taken = await withCheckedContinuation { continuation in
                enter(request, limit) { continuation.resume(returning: $0) }
            }
            let place = try begin(taken, limit)
            return try await place.thread.runBlocking { [self] in
                try Connection.$current.withValue(connection) {
                    try HTMLAddress.$root.withValue(root) { try run(in: place, of: share, limit, body) }
                }
            }
        } onCancel: {
            end()
        }
    }

    /// Runs the body on the calling thread, which is that of a place: of this pool, or of another one, which is kept while
    /// the thread waits for a place of this pool.
    func performInPlace<Result>(as share: Share, _ body: (ArchiveReading) throws -> Result) throws -> Result {
        if let held = Self.held, held.pool === self { return try body(held.reading) }
        let (request, limit, outer) = (request(of: share), ReadLimit(), ReadLimit.current)
        outer?.whenCancelled(end(of: request, limit))
        defer { outer?.whenCancelled(nil) }
        let (given, isGiven) = (Given(), DispatchSemaphore(value: 0))
        enter(request, limit) { place in
            given.place.withLock { $0 = place }
            isGiven.signal()
        }
        isGiven.wait()
        return try run(in: begin(given.place.withLock(\.self), limit), of: share, limit, body)
    }

    private final class Given: Sendable {
        let place = Mutex<Place?>(nil)
    }

    private func request(of share: Share) -> FairQueue.Request {
        state.withLock { state in
            state.next += 1
            return FairQueue.Request(number: state.next, share: share)
        }
    }

    private func end(of request: FairQueue.Request, _ limit: ReadLimit) -> @Sendable () -> Void {
        { [self] in
            limit.cancel()
            leave(request)
        }
    }

    private func begin(_ place: Place?, _ limit: ReadLimit) throws -> Place {
        guard let place else { throw limit.isOver ? CancellationError() as any Error : Busy() }
        return place
    }

    private func run<Result>(
        in taken: Place, of share: Share, _ limit: ReadLimit, _ body: (ArchiveReading) throws -> Result
    ) throws -> Result {
        var place = taken
        let reading = place.reading ?? source.reading().bounded(pageBytes: Self.pageBytes)
        place.reading = reading
        defer { give(place, share) }
        // The answers of the sender may have filled the memory while the request waited.
        try Connection.current?.checkUnsent(share)
        limit.end(in: Self.seconds)
        return try ReadLimit.$current.withValue(limit) {
            try Self.$held.withValue((self, reading)) { try body(reading) }
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

    /// Calls `begin` with the place when it is the request's turn, or with nil when it is refused or ended.
    private func enter(
        _ request: FairQueue.Request, _ limit: ReadLimit, _ begin: @escaping @Sendable (Place?) -> Void
    ) {
        let answer: Place?? = state.withLock { state in
            // Nobody waits for the answer any more. Later, `leave` ends the wait.
            guard !limit.isOver else { return .some(nil) }
            switch state.queue.enter(request) {
            // The place that was used last still has open accounts.
            case .runs: return .some(state.idle.popLast())
            case .refused: return .some(nil)
            case .waits:
                state.waiting[request] = begin
                return nil
            }
        }
        if let answer { begin(answer) }
    }

    private func leave(_ request: FairQueue.Request) {
        let begin = state.withLock { state -> (@Sendable (Place?) -> Void)? in
            guard state.queue.leave(request) else { return nil }
            return state.waiting.removeValue(forKey: request)
        }
        begin?(nil)
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
        for (begin, place) in started { begin?(place) }
    }
}
