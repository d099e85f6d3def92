/// A clock that runs faster than this machine's, so that waits of minutes take a moment.
package struct ScaledClock: Clock {
    package struct Instant: InstantProtocol {
        /// The time since the clock was created.
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
