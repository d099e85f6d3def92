/// The settings of TCP keepalive, which notices a vanished peer (docs/networks/streamchat.md).
package struct Keepalive: Sendable, Hashable {
    /// The seconds without traffic before the first probe.
    package var idle: Int
    /// The seconds between probes.
    package var interval: Int
    /// The number of unanswered probes after which the connection ends.
    package var probes: Int

    package init(idle: Int = 15, interval: Int = 5, probes: Int = 3) {
        (self.idle, self.interval, self.probes) = (idle, interval, probes)
    }

    /// The longest time from the peer's end until the kernel reports it.
    package var limit: Duration {
        .seconds(idle + interval * probes)
    }
}
