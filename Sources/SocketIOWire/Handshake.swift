import Foundation

/// What a server says of a session when it opens it.
package struct Handshake: Sendable, Hashable {
    /// The session's id, `sid`: 1 to 256 bytes, to be escaped in a URL.
    package var session: String
    /// The transports that it may go on with.
    package var upgrades: [String]
    package var pingInterval: Duration
    package var pingTimeout: Duration
    /// Bytes of one body, or of one WebSocket message, that the server takes.
    package var maximumPayload: Int

    /// A server that says nothing for longer is dead.
    package var silenceLimit: Duration { pingInterval + pingTimeout }

    /// An hour at most: what is longer tells of no life. Engine.IO's own are 25 s and 20 s. python-engineio 4.15 announces
    /// an interval of less than a second as 0.
    private static let believedIntervals = 0...3_600_000
    private static let believedTimeouts = 1...3_600_000
    /// What Engine.IO takes when nothing else is said (`maxHttpBufferSize`).
    private static let usualPayload = 1_000_000

    private struct Fields: Decodable {
        var sid: String
        var upgrades: [String]?
        var pingInterval: Int
        var pingTimeout: Int
        var maxPayload: Int?
    }

    /// Reads the data of ``EnginePacket/open(_:)``; nil where it is none of the kind, or not to be believed.
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
