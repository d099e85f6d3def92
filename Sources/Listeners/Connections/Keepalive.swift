/// How soon a peer that vanished silently is noticed (docs/networks/streamchat.md).
package struct Keepalive: Sendable, Hashable {
    /// Seconds without traffic before the first probe.
    package var idle: Int
    /// Seconds between probes.
    package var interval: Int
    /// Probes without an answer before the connection is given up.
    package var probes: Int

    package init(idle: Int = 15, interval: Int = 5, probes: Int = 3) {
        (self.idle, self.interval, self.probes) = (idle, interval, probes)
    }

    /// The longest time that a peer can be gone before the kernel reports it.
    package var limit: Duration {
        .seconds(idle + interval * probes)
    }
}
