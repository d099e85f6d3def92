package import ChatModel
package import NIOCore
package import Sessions

/// Archives the account's rooms of a workspace service: receives over Socket.IO, fetches history over HTTP, and
/// reconnects after each lost connection.
package struct SLPListener: Listener {
    let watched: WatchedValue<SLPListenerConfiguration>
    let attachments: (any AttachmentStore)?
    let group: any EventLoopGroup
    let tools: ListenerTools
    let unreadCounter = CurrentCounter()
    let traffic: Traffic?

    /// The present configuration.
    var configuration: SLPListenerConfiguration { watched.value }

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

    /// Runs the listener, and stops when `inputs` ends. An account whose login is refused waits until its credentials
    /// or tokens change.
    package func run(
        inputs: AsyncStream<ListenerInput>, into sink: any EventSink, state: any ListenerState,
        report: @escaping @Sendable (ListenerReport) -> Void
    ) async {
        let loop = SessionLoop(watched, tools, into: sink, state: state, report: report)
        let login = LoginWatch(
            SLPLogin(configuration.service), every: configuration.loginCheckInterval, clock: tools.clock,
            renewed: { [watched] in $0.withTokens(watched.value.service) },
            current: { [watched] in SLPLogin(watched.value.currentService) })
        await loop.run(inputs, loginChanged: login.waitUntilChanged) { attempt in
            await SLPAttempt(listener: self, login: login, attempt: attempt).run()
        }
    }
}
