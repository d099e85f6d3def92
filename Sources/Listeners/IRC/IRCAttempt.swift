import ChatModel
import IRCWire

/// One attempt to hear an account's rooms: connect, register, join, hear them until that ends.
struct IRCAttempt: Sendable {
    let listener: IRCListener
    let secrets: IRCSecrets
    let attempt: SessionAttempt

    private var configuration: IRCConfiguration { listener.configuration }

    func run() async -> SessionLoop.Outcome {
        let past: IRCPast
        do {
            past = IRCPast(partners: try await attempt.loop.state.partners())
        } catch {
            return .failed(detail: "the archive can't be read: \(error)")
        }
        do throws(ConnectionError) {
            return try await listener.connector.withConnection(host: configuration.host, port: configuration.port) {
                connection in
                let login = IRCLogin(
                    Registration(configuration.identity(secrets), capabilities: configuration.capabilities))
                let link = IRCLink(login, listener: listener, connection: connection, attempt: attempt)
                return await link.run(past)
            }
        } catch {
            return .failed(detail: error.detail)
        }
    }
}

/// What the archive knows when a connection is made.
struct IRCPast: Sendable {
    /// Whom direct rooms are or were with, by the room's key.
    var partners: [String: UserReference]
}

extension RegistrationFailure {
    /// What it means for the next attempt.
    ///
    /// - Parameter lived: How long there was a session; nil where there was none.
    func outcome(_ configuration: IRCConfiguration, lived: Duration? = nil) -> SessionLoop.Outcome {
        func failed(after pause: Duration = .zero) -> SessionLoop.Outcome {
            .failed(detail: detail, lived: lived, pause: pause)
        }
        let needsLogin = SessionLoop.Outcome.needsLogin(
            detail: "\(detail); it goes on once the password in its file is another")
        switch self {
        case .closed: return failed()
        case .banned: return failed(after: configuration.bannedPause)
        case .throttled, .nickUnavailable, .authenticationUnavailable:
            return failed(after: configuration.throttledPause)
        case .passwordRefused, .authenticationFailed(.invalidCredentials): return needsLogin
        // 906 is that it was broken off.
        case .authenticationFailed(.refused(let code, _, _)) where code != "906": return needsLogin
        case .authenticationFailed: return failed(after: configuration.throttledPause)
        }
    }
}
