import FoundationEssentials

/// The parameters of a session, which the server sends when it opens it.
package struct Handshake: Sendable, Hashable {
    /// The session's id, `sid`, of 1 to 256 bytes. Escape it in a URL.
    package var session: String
    /// The transports that the session may switch to.
    package var upgrades: [String]
    /// The interval of the server's pings; at most an hour.
    package var pingInterval: Duration
    /// The time that the server waits for a pong; at most an hour.
    package var pingTimeout: Duration
    /// The limit of bytes in one body or one WebSocket message that the server accepts.
    package var maximumPayload: Int

    /// The silence after which the connection counts as lost.
    package var silenceLimit: Duration { pingInterval + pingTimeout }

    /// The accepted intervals, in milliseconds. An interval of more than an hour would detect nothing. Engine.IO's
    /// defaults are 25 s and 20 s. python-engineio 4.15 announces an interval of less than a second as 0.
    private static let believedIntervals = 0...3_600_000
    private static let believedTimeouts = 1...3_600_000
    /// Engine.IO's default (`maxHttpBufferSize`).
    private static let usualPayload = 1_000_000

    private struct Fields: Decodable {
        var sid: String
        var upgrades: [String]?
        var pingInterval: Int
        var pingTimeout: Int
        var maxPayload: Int?
    }

    /// Reads the data of ``EnginePacket/open(_:)``; nil if it isn't a handshake or has implausible values.
    package init?(_ data: [UInt8], limits: WireLimits = WireLimits()) {
        guard data.count <= limits.handshakeBytes,
            let fields = try? JSONDecoder().decode(Fields.self, from: Data(data)),
            (1...256).contains(fields.sid.utf8.count),
            Self.believedIntervals.contains(fields.pingInterval),
            Self.believedTimeouts.contains(fields.pingTimeout)
        else { return nil }
        session = fields.sid
        upgrades = fields.upgrades ?? []
        pingInterval = .milliseconds(fields.pingInterval)
        pingTimeout = .milliseconds(fields.pingTimeout)
        maximumPayload = fields.maxPayload.flatMap { $0 > 0 ? $0 : nil } ?? Self.usualPayload
    }
}
