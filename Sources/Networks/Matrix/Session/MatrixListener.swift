package import ChatModel
package import NIOCore
package import Sessions

/// Archives the rooms of a Matrix account: receives by `/sync`, fetches what is missing by `/messages`, and reconnects.
package struct MatrixListener: LoginListener {
    package let watched: WatchedValue<MatrixListenerConfiguration>
    let attachments: (any AttachmentStore)?
    let group: any EventLoopGroup
    let traffic: Traffic?
    package let tools: ListenerTools
    /// The connection that receives at present.
    let current = WatchedValue<MatrixLink?>(nil)
    let unreadCounter = CurrentCounter()
    let keyring = MatrixKeyring()

    /// - Parameter attachments: The store of files; nil to fetch none, not even on request.
    package init(
        _ configuration: MatrixListenerConfiguration, attachments: (any AttachmentStore)? = nil,
        group: any EventLoopGroup, traffic: Traffic? = nil,
        tools: ListenerTools
    ) {
        watched = WatchedValue(configuration)
        (self.attachments, self.group, self.traffic, self.tools) = (attachments, group, traffic, tools)
    }

    package var counter: (any UnreadCounter)? { unreadCounter }

    package func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer {
        current.value?.backfill(room, after: after) ?? .notConnected
    }

    package func run(
        _ attempt: SessionAttempt, login: LoginWatch<MatrixListenerConfiguration>
    ) async -> SessionLoop.Outcome {
        await MatrixAttempt(listener: self, credentials: login.next(), attempt: attempt).run()
    }
}

/// One attempt to archive an account's rooms: logs in, and receives until that ends.
struct MatrixAttempt: Sendable {
    let listener: MatrixListener
    let credentials: MatrixCredentials
    let attempt: SessionAttempt

    func run() async -> SessionLoop.Outcome {
        var configuration = listener.configuration
        configuration.credentials = credentials
        do {
            return try await MatrixClient.with(
                configuration, traffic: listener.traffic, tools: listener.tools, group: listener.group
            ) { client in
                listener.unreadCounter.use(client)
                defer { listener.unreadCounter.clear() }
                // Logs in first, because without a login there is no session.
                let account = try await client.account()
                return await attempt.runSession { opened in
                    let link = MatrixLink(
                        opened, attempt.loop, listener: listener, client: client, account)
                    listener.current.change(to: link)
                    defer { listener.current.change(to: nil) }
                    return await AttachmentFetcher.whileRunning(
                        client, into: listener.attachments, listener.watched, limits: \.files, tools: listener.tools
                    ) { await link.run(until: attempt.stop) }
                }
            }
        } catch let error as CallError {
            return error.code == .needsLogin
                ? .needsLogin(detail: Self.withAdvice(error)) : .failed(detail: error.detail)
        } catch {
            return .failed(detail: "\(error)")
        }
    }

    static func withAdvice(_ error: CallError) -> String {
        "\(error.detail); to retry, change the password or the token in its file"
    }
}
