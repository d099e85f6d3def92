package import ChatModel
package import Sessions
import XMPPWire

/// A server to which to connect.
package struct XMPPServer: Sendable {
    package var host: String
    package var port: Int
    /// Connects with the security that the server expects.
    package var connector: any Connector

    package init(host: String, port: Int, connector: any Connector) {
        (self.host, self.port, self.connector) = (host, port, connector)
    }
}

/// Archives an account's rooms and conversations on an XMPP server: connects, receives, fetches what is missing, and
/// connects again after each lost connection.
package struct XMPPListener: LoginListener {
    package let watched: WatchedValue<XMPPConfiguration>
    /// Returns the servers of the account, the first to try first.
    let servers: @Sendable () async -> [XMPPServer]
    let files: XMPPFileClient?
    let attachments: (any AttachmentStore)?
    package let tools: ListenerTools
    /// The stream of the last connection, which the server may continue.
    let left = WatchedValue<XMPPLeftStream?>(nil)
    /// The connection that receives at present.
    let current = WatchedValue<XMPPLink?>(nil)

    /// The resource of the account's address, the same while the program runs, so that a connection replaces the one before.
    let resource: String

    /// - Parameters:
    ///   - files: Fetches files; nil to fetch none.
    ///   - attachments: The store of files; nil to fetch none, not even on request.
    init(
        _ configuration: XMPPConfiguration, servers: @escaping @Sendable () async -> [XMPPServer],
        files: XMPPFileClient? = nil, attachments: (any AttachmentStore)? = nil, tools: ListenerTools
    ) {
        watched = WatchedValue(configuration)
        (self.servers, self.files, self.attachments, self.tools) = (servers, files, attachments, tools)
        var random = tools.random
        resource = "scrollback-" + String(UInt32.random(in: 0...UInt32.max, using: &random), radix: 36)
    }

    /// Returns the stream of the last connection, once; nil if the server has forgotten it.
    ///
    /// - Parameter now: This machine's clock.
    func takeLeftStream(at now: Timestamp) -> XMPPLeftStream? {
        guard let stream = left.value else { return nil }
        left.change(to: nil)
        return now.since(stream.endedAt) < stream.keptFor ? stream : nil
    }

    package func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer {
        current.value?.history.backfill(room, after: after) ?? .notConnected
    }

    package func run(_ attempt: SessionAttempt, login: LoginWatch<XMPPConfiguration>) async -> SessionLoop.Outcome {
        await XMPPAttempt(listener: self, secrets: login.next(), attempt: attempt).run()
    }

    package func close() {
        files?.close()
    }
}

/// A stream that a lost connection left, with what the archive needs to continue it (XEP-0198).
struct XMPPLeftStream: Sendable {
    var resumption: XMPPLogin.Resumption
    var session: XMPPSession
    /// The time for which the server keeps the stream.
    var keptFor: Duration
    /// When the connection ended, by this machine's clock.
    var endedAt: Timestamp
}
