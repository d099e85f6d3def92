import NIOCore

/// The limits of a peer of the metrics' port.
package struct MetricsLimits: Sendable {
    /// The limit of connections. A scraper has one, a person a few.
    var connections = 16
    /// The most bytes that a connection may send: one request. Browsers send 1 KB; servers commonly allow 8 KB of
    /// headers.
    var bytes = 16 * 1024
    /// The time limit from connecting to the complete answer; Prometheus stops waiting after 10 s.
    var time = TimeAmount.seconds(15)
}
