import ChatModel
import SLPWire
import Sessions

/// One attempt to archive an account's rooms: logs in, lists the rooms, connects, and receives until that ends.
struct SLPAttempt: Sendable {
    let listener: SLPListener
    let login: SLPLogin
    let attempt: SessionAttempt

    private var configuration: SLPListenerConfiguration { listener.configuration }

    func run() async -> SessionLoop.Outcome {
        let connector = SocketIOConnector(
            configuration.socket, group: listener.group, clock: listener.tools.clock,
            readClocks: listener.tools.readClocks,
            traffic: listener.traffic)
        var service = configuration.service
        service.credentials = login.credentials
        do {
            return try await SLPClient.with(
                service, clock: listener.tools.clock, wallClock: { listener.tools.readClocks().wall },
                traffic: listener.traffic,
                logger: listener.tools.logger, group: listener.group
            ) { client in
                listener.unreadCounter.use(client)
                defer { listener.unreadCounter.clear() }
                // Logs in first, because without a login the connection is useless.
                let (me, directory) = try await prepare(client)
                return try await connector.withConnection { [attempt] connection in
                    await attempt.runSession { await runSession(connection, client, me: me, directory, $0) }
                }
            }
        } catch let error as CallError {
            return outcome(of: error)
        } catch let error as ConnectionError {
            return .failed(detail: error.detail)
        } catch {
            return .failed(detail: "\(error)")
        }
    }

    private func prepare(_ client: SLPClient) async throws -> (me: String, directory: SLPDirectory) {
        guard case .value(let profile, _) = try await client.profile() else {
            throw CallError(code: .unexpected, detail: "the server's answer does not name our account")
        }
        let me = profile.user.id
        let directory = try await SLPDirectory.read(
            client, me: me, channels: configuration.channels, state: attempt.loop.state,
            at: { listener.tools.readClocks().wall })
        return (me, directory)
    }

    private func outcome(of error: CallError) -> SessionLoop.Outcome {
        switch error.code {
        case .accountStopped, .needsLogin: .needsLogin(detail: Self.withAdvice(error))
        // The next client starts at full pace.
        case .tooManyCalls: .failed(detail: error.detail, pause: configuration.service.limits.pace.longest)
        default: .failed(detail: error.detail)
        }
    }

    static func withAdvice(_ error: CallError) -> String {
        "\(error.detail); to retry, change the password or the key in its file"
    }

    private func runSession(
        _ connection: SocketIOConnection, _ client: SLPClient, me: String, _ directory: SLPDirectory,
        _ opened: SessionAttempt.Opened
    ) async -> SessionAttempt.Closed {
        let link = SLPLink(opened, attempt.loop, listener: listener, connection: connection, client: client, me: me)
        // With the same client, and so at the same pace.
        return await AttachmentFetcher.whileRunning(
            client, into: listener.attachments, listener.watched, limits: \.files, tools: listener.tools
        ) {
            defer { client.stopRenewing() }
            return await link.run(directory, until: attempt.stop)
        }
    }
}
