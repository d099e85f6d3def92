import NIOCore

/// The limits for clients of the metrics' port.
package struct MetricsLimits: Sendable {
    /// The limit of connections. A scraper has one; a person has a few.
    var connections = 16
    /// The limit of bytes that a connection may send, for one request. Browsers send 1 KB; servers commonly allow 8 KB
    /// of headers.
    var bytes = 16 * 1024
    /// The time limit from connecting to the complete answer; Prometheus stops waiting after 10 s.
    var time = TimeAmount.seconds(15)
}
