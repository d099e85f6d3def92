import Archive
import Synchronization

/// The places for running requests: each has a thread that may wait for a disk, and accounts that stay open between
/// requests.
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
        var waiting: [(number: Int, continuation: CheckedContinuation<Place?, Never>)] = []
        var next = 0
    }

    /// The number of requests that read at once. A disk that hangs blocks as many threads.
    static let places = 8
    /// The number of requests that wait for a place. More are refused at once.
    static let waiting = 512
    /// The time after which an unused account is released.
    static let hold = Duration.seconds(2)

    /// More requests wait than ``waiting``.
    struct Busy: Error {}

    /// - Parameter places: The number of requests that read at once.
    init(source: ArchiveSource, places: Int = places) {
        self.source = source
        state = Mutex(State(idle: (0..<places).map { _ in Place() }))
    }

    /// Runs the body in a place.
    ///
    /// - Throws: ``Busy`` if too many requests wait; a cancellation while the request waits.
    func read<Result: Sendable>(
        _ body: @Sendable (ArchiveReading) async throws -> Result
    ) async throws -> Result {
        var place = try await take()
        let reading = place.reading ?? source.reading()
        place.reading = reading
        defer { give(place) }
        return try await place.thread.run { try await body(reading) }
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

    private func take() async throws -> Place {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let place = try await withTaskCancellationHandler {
            try await withCheckedContinuation { (continuation: CheckedContinuation<Place?, Never>) in
                enter(number, continuation)
            } ?? { throw Task.isCancelled ? CancellationError() as any Error : Busy() }()
        } onCancel: {
            leave(number)
        }
        return place
    }

    private func enter(_ number: Int, _ continuation: CheckedContinuation<Place?, Never>) {
        let answer: Place?? = state.withLock { state in
            // The place that was used last still has open accounts.
            if let place = state.idle.popLast() { return .some(place) }
            guard state.waiting.count < Self.waiting, !Task.isCancelled else { return .some(nil) }
            state.waiting.append((number, continuation))
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
    }

    private func leave(_ number: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Place?, Never>? in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiting.remove(at: index).continuation
        }
        continuation?.resume(returning: nil)
    }

    private func give(_ used: Place) {
        var place = used
        // The sweep releases only accounts of idle places, so a place that is always busy releases its own.
        if .now - place.lastRelease > Self.hold {
            place.reading?.release(unusedFor: Self.hold)
            place.lastRelease = .now
        }
        let next = state.withLock { [place] state -> CheckedContinuation<Place?, Never>? in
            guard !state.waiting.isEmpty else {
                state.idle.append(place)
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: place)
    }
}
