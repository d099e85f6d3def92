import ChatModel
package import Sessions
package import StreamChatWire

/// The configuration of an account of a StreamChat server.
package struct StreamChatConfiguration: ListenerConfiguration, Hashable {
    package var host: String
    package var port: Int
    /// The name with which to join.
    package var nick: String
    /// The archive's name for the server's one room.
    package var room: String
    /// The delimiter between the messages of the server.
    package var framing: Framing = .chunk
    /// The server's version of the protocol.
    package var revision: Revision = .august2021
    /// The time within which a read may continue the message of the read before it (docs/networks/streamchat.md).
    package var continuation: Duration = .milliseconds(30)
    /// The limit of bytes in one message. A longer one is cut and flagged.
    package var unitCap = 64 * 1024
    /// The interval at which the last sign of life is written. A crash loses at most this much coverage.
    package var signOfLifeInterval: Duration = .seconds(10)
    /// The time without a sign of life that ends the connection: longer than TCP keepalive needs to report a vanished
    /// peer, for connections without keepalive.
    package var silenceLimit: Duration = Keepalive().limit + .seconds(15)
    /// The time limit for leaving.
    package var leaveTimeout: Duration = .seconds(5)
    /// The size of received events that are not stored, in bytes, at which reading stops.
    package var bufferBytes = 4 * 1024 * 1024
    /// The time limit for storing the received events after a stop. The rest becomes a gap.
    package var storeTimeout = StopTimes.storing
    /// The waits between attempts to connect. They are shorter than on networks that limit logins (2 s to 5 min on
    /// IRC): StreamChat has neither logins nor history, so the listener retries once a minute even after a night.
    package var backoff = Backoff.Limits(first: .seconds(1), longest: .seconds(60))

    package init(host: String, port: Int, nick: String, room: String) {
        (self.host, self.port, self.nick, self.room) = (host, port, nick, room)
    }
}
