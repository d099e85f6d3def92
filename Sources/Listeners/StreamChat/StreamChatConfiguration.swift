package import StreamChatWire

/// Which StreamChat server to archive, and how.
package struct StreamChatConfiguration: Sendable, Hashable {
    package var host: String
    package var port: Int
    /// The name to join under.
    package var nick: String
    /// What the archive calls the server's one room.
    package var room: String
    package var framing: Framing = .chunk
    package var revision: Revision = .august2021
    /// A read within so long of the one before may continue it (docs/networks/streamchat.md).
    package var continuation: Duration = .milliseconds(30)
    /// Bytes of one message; what is longer is cut, and flagged.
    package var unitCap = 64 * 1024
    /// How often the last sign of life is written down, and so by how much a crash shortens what is known complete.
    package var signOfLifeInterval: Duration = .seconds(10)
    /// No sign of life for so long, and the peer is given up: longer than TCP keepalive takes to say so, as a net below
    /// it where it can't.
    package var silenceLimit: Duration = Keepalive().limit + .seconds(15)
    /// How long leaving may take.
    package var leaveTimeout: Duration = .seconds(5)
    /// Bytes heard and not yet stored, at which reading stops.
    package var bufferBytes = 4 * 1024 * 1024
    /// How long storing what was received may take after a stop; what a disk in trouble has not taken by then is a gap.
    package var storeTimeout = StopTimes.storing
    /// Sooner than networks with a login to throttle allow (2 s to 5 min on IRC): here is none, and no history to make
    /// good what is missed, so once a minute even after a night.
    package var backoff = Backoff.Limits(first: .seconds(1), longest: .seconds(60))

    package init(host: String, port: Int, nick: String, room: String) {
        self.host = host
        self.port = port
        self.nick = nick
        self.room = room
    }
}
