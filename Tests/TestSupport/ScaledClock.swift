/// A clock that runs faster than this machine's: waits of minutes pass in a moment, and nothing is decided by how long a test takes.
package struct ScaledClock: Clock {
    package struct Instant: InstantProtocol {
        /// Since the clock was made.
        var offset: Duration

        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private let factor: Int
    private let start = ContinuousClock.now

    package init(factor: Int) {
        self.factor = factor
    }

    package var now: Instant { Instant(offset: (ContinuousClock.now - start) * factor) }
    package var minimumResolution: Duration { .zero }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(for: (deadline.offset - now.offset) / factor)
    }
}
