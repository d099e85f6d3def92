/// The time to wait before connecting again: exponential, with full jitter.
///
/// Full jitter (a random time from nothing to the bound) spreads the clients of a server that came back best
/// (aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter).
package struct Backoff: Sendable, Hashable {
    /// Bounds of the waits.
    package struct Limits: Sendable, Hashable {
        /// The bound of the first wait.
        package var first: Duration
        /// The most that the bound is doubled to.
        package var longest: Duration
        /// The uptime of a connection that ends the row of failures.
        package var stable: Duration

        package init(first: Duration, longest: Duration, stable: Duration = .seconds(60)) {
            (self.first, self.longest, self.stable) = (first, longest, stable)
        }
    }

    /// Bounds that this was made with.
    package let limits: Limits
    /// Failures in a row: attempts without a connection, and connections that were over too soon.
    package private(set) var failures = 0

    /// Begins without failures, so that the first wait has the bound ``Limits/first``.
    package init(limits: Limits) {
        self.limits = limits
    }

    /// Counts one more failure, or none where the connection was stable, and returns how long to wait: a random time
    /// from nothing to ``bound``.
    ///
    /// - Parameter uptime: The time for which there was a connection; nil when there was none.
    package mutating func next(
        afterUptime uptime: Duration?, using random: inout some RandomNumberGenerator
    ) -> Duration {
        if let uptime, uptime >= limits.stable { failures = 0 } else { failures += 1 }
        return .microseconds(Int64.random(in: 0...max(0, bound.microseconds), using: &random))
    }

    /// The longest that the present wait may be: the first bound, doubled by every failure after the first.
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
