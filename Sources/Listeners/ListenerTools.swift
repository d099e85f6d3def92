package import Logging

/// The clocks, random numbers and log that a listener works with.
package struct ListenerTools: Sendable {
    /// Measures waits; monotonic, so not the wall clock.
    let clock: any Clock<Duration>
    /// Gives the times of receipt.
    let readClocks: @Sendable () -> ClockReading
    let random: any RandomNumberGenerator & Sendable
    /// Has the account in its metadata.
    let logger: Logger

    package init(
        clock: any Clock<Duration> = ContinuousClock(), readClocks: @escaping @Sendable () -> ClockReading = { .now() },
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), logger: Logger
    ) {
        (self.clock, self.readClocks, self.random, self.logger) = (clock, readClocks, random, logger)
    }
}
