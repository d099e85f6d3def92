package import ChatModel
package import Sessions

/// Archives an account's rooms of an IRC network: joins them, receives, and joins again after each lost connection.
package struct IRCListener: LoginListener {
    package let watched: WatchedValue<IRCConfiguration>
    /// The first configuration; in the copy of an attempt, the configuration at its start.
    private(set) var configuration: IRCConfiguration
    let connector: any Connector
    let transport: IRCTransport
    package let tools: ListenerTools
    /// The connection that receives at present.
    let current = WatchedValue<IRCLink?>(nil)

    /// - Parameters:
    ///   - connector: The connector, with TLS or plain text.
    ///   - transport: The security of `connector`.
    package init(
        _ configuration: IRCConfiguration, connector: any Connector, transport: IRCTransport = .plain,
        tools: ListenerTools
    ) {
        (self.configuration, self.connector, self.tools) = (configuration, connector, tools)
        self.transport = transport
        watched = WatchedValue(configuration)
    }

    package func run(_ attempt: SessionAttempt, login: LoginWatch<IRCConfiguration>) async -> SessionLoop.Outcome {
        var listener = self
        listener.configuration = watched.value
        listener.configuration.secrets = login.next()
        return await IRCAttempt(listener: listener, attempt: attempt).run()
    }

    /// Requests history. Returns `notConnected` while there is no session, and `unsupported` if the server has no
    /// history.
    package func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer {
        current.value?.backfill(room, after: after) ?? .notConnected
    }
}
