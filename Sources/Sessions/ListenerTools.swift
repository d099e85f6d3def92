package import ChatModel
package import Logging

/// The clocks, the random numbers and the log of a listener.
package struct ListenerTools: Sendable {
    /// The clock for waits: a monotonic one, not the wall clock.
    package let clock: any Clock<Duration>
    /// Returns the clocks' readings for times of receipt.
    package let readClocks: @Sendable () -> ClockReading
    package let random: any RandomNumberGenerator & Sendable
    /// The log, with the account in its metadata.
    package let logger: Logger
    /// The pace of connections, which accounts of one server share.
    package let pace: ConnectionPace

    package init(
        clock: any Clock<Duration> = ContinuousClock(), readClocks: @escaping @Sendable () -> ClockReading = { .now() },
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), logger: Logger,
        pace: ConnectionPace = ConnectionPace()
    ) {
        (self.clock, self.readClocks, self.random, self.logger) = (clock, readClocks, random, logger)
        self.pace = pace
    }
}
