package import ChatModel
package import NIOCore
package import Sessions

/// Archives the account's rooms of a workspace service: receives over Socket.IO, fetches history over HTTP, and
/// reconnects after each lost connection.
package struct SLPListener: LoginListener {
    package let watched: WatchedValue<SLPListenerConfiguration>
    let attachments: (any AttachmentStore)?
    let group: any EventLoopGroup
    package let tools: ListenerTools
    let unreadCounter = CurrentCounter()
    let traffic: Traffic?

    package var counter: (any UnreadCounter)? { unreadCounter }

    /// - Parameters:
    ///   - attachments: The store of files; nil to fetch none, not even on request.
    ///   - traffic: Counts the received bytes.
    package init(
        _ configuration: SLPListenerConfiguration, attachments: (any AttachmentStore)? = nil, group: any EventLoopGroup,
        traffic: Traffic? = nil, tools: ListenerTools
    ) {
        watched = WatchedValue(configuration)
        (self.attachments, self.group, self.traffic, self.tools) = (attachments, group, traffic, tools)
    }

    package func run(
        _ attempt: SessionAttempt, login: LoginWatch<SLPListenerConfiguration>
    ) async -> SessionLoop.Outcome {
        await SLPAttempt(listener: self, login: login.next(), attempt: attempt).run()
    }
}
