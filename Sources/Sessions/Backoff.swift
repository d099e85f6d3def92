/// The time to wait before connecting again: exponential, with full jitter.
///
/// Full jitter, a random time from 0 to the bound, best spreads the clients of a server that has come back
/// (aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter).
package struct Backoff: Sendable, Hashable {
    /// The bounds of the waits.
    package struct Limits: Sendable, Hashable {
        /// The bound of the first wait.
        package var first: Duration
        /// The limit up to which the bound doubles.
        package var longest: Duration
        /// The lifetime of a connection after which the count of failures begins again.
        package var stable: Duration

        package init(first: Duration, longest: Duration, stable: Duration = .seconds(60)) {
            (self.first, self.longest, self.stable) = (first, longest, stable)
        }
    }

    /// The bounds of the waits.
    package let limits: Limits
    /// The number of failures in a row: attempts without a connection, and connections that ended too soon.
    package private(set) var failures = 0

    /// Begins without failures, so that the first wait has the bound ``Limits/first``.
    package init(limits: Limits) {
        self.limits = limits
    }

    /// Counts a failure, and returns the time to wait: a random time from 0 to ``bound``. A stable connection resets
    /// the count.
    ///
    /// - Parameter uptime: The lifetime of the connection; nil if there was none.
    package mutating func next(
        afterUptime uptime: Duration?, using random: inout some RandomNumberGenerator
    ) -> Duration {
        if let uptime, uptime >= limits.stable { failures = 0 } else { failures += 1 }
        return .microseconds(Int64.random(in: 0...max(0, bound.microseconds), using: &random))
    }

    /// The limit of the present wait: the first bound, doubled by every failure after the first.
    package var bound: Duration {
        var bound = limits.first
        var doublings = failures - 1
        while doublings > 0, bound < limits.longest {
            bound *= 2
            doublings -= 1
        }
        return min(bound, limits.longest)
    }
}
