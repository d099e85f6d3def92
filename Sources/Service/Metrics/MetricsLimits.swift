import NIOCore

/// What a peer of the metrics' port may take.
package struct MetricsLimits: Sendable {
    /// A scraper has one, a person some.
    var connections = 16
    /// What a connection may send: one request. Browsers send 1 KB, the common limit of servers for headers is 8 KB.
    var bytes = 16 * 1024
    /// From connecting to having the whole answer; Prometheus gives up after 10 s.
    var time = TimeAmount.seconds(15)
}
