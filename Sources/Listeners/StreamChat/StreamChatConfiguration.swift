package import StreamChatWire

/// Which StreamChat server to archive, and how.
package struct StreamChatConfiguration: ListenerConfiguration, Hashable {
    package var host: String
    package var port: Int
    /// The name to join with.
    package var nick: String
    /// The archive's name for the server's one room.
    package var room: String
    /// The delimiter between the messages of the server.
    package var framing: Framing = .chunk
    /// The version of the protocol that the server has.
    package var revision: Revision = .august2021
    /// A read within this time of the one before may continue its message (docs/networks/streamchat.md).
    package var continuation: Duration = .milliseconds(30)
    /// The most bytes of one message; a longer one is cut and flagged.
    package var unitCap = 64 * 1024
    /// The interval at which the last sign of life is written, and so the most time that a crash removes from what is known
    /// complete.
    package var signOfLifeInterval: Duration = .seconds(10)
    /// The time without a sign of life after which the connection is given up: longer than TCP keepalive needs to
    /// report a peer that is gone, for connections where it can't.
    package var silenceLimit: Duration = Keepalive().limit + .seconds(15)
    /// The time that leaving may take.
    package var leaveTimeout: Duration = .seconds(5)
    /// Bytes received and not yet stored at which reading stops.
    package var bufferBytes = 4 * 1024 * 1024
    /// The time that storing the received events may take after a stop; the rest becomes a gap.
    package var storeTimeout = StopTimes.storing
    /// Shorter waits than networks allow that limit logins (2 s to 5 min on IRC): this one has no login to limit and no
    /// history to fill gaps from, so it is tried once a minute even after a night.
    package var backoff = Backoff.Limits(first: .seconds(1), longest: .seconds(60))

    package init(host: String, port: Int, nick: String, room: String) {
        (self.host, self.port, self.nick, self.room) = (host, port, nick, room)
    }
}
