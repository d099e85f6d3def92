import ChatModel
import IRCWire

/// One attempt to archive an account's rooms: connects, registers, joins, and receives until that ends.
struct IRCAttempt: Sendable {
    let listener: IRCListener
    /// The configuration that applies while the attempt runs.
    let watched: WatchedValue<IRCConfiguration>
    let attempt: SessionAttempt

    private var configuration: IRCConfiguration { listener.configuration }

    func run() async -> SessionLoop.Outcome {
        let outcome = await attemptOnce().masked(by: configuration.secrets)
        await reportNamesakes()
        return outcome
    }

    /// The names that one attempt reports; `status` shows the first, and `archive merge` all.
    private static let reportedNamesakes = 3

    /// Reports what a change of the server's case mapping has split.
    private func reportNamesakes() async {
        guard let namesakes = try? await attempt.loop.state.namesakes() else { return }
        for some in namesakes.prefix(Self.reportedNamesakes) {
            listener.tools.logger.warning(
                "one name has several keys; \"scrollback archive merge\" makes them one",
                metadata: ["name": "\(some.name)", "kind": "\(some.kind)", "ids": "\(some.ids)"])
        }
    }

    private func attemptOnce() async -> SessionLoop.Outcome {
        let stored: IRCStoredState
        do {
            stored = IRCStoredState(
                partners: try await attempt.loop.state.partners(),
                rooms: try await attempt.loop.state.expectedRooms(kind: .channel),
                channels: try await attempt.loop.state.channels(), channelKeys: configuration.secrets.channelKeys)
        } catch {
            return .failed(detail: "the archive can't be read: \(error)")
        }
        do throws(ConnectionError) {
            return try await listener.connector.withConnection(host: configuration.host, port: configuration.port) {
                connection in
                let login = IRCLogin(
                    Registration(configuration.identity(), capabilities: configuration.capabilities))
                let link = IRCLink(
                    login, listener: listener, watched: watched, connection: connection, attempt: attempt)
                return await link.run(stored)
            }
        } catch {
            return .failed(detail: error.detail)
        }
    }
}

/// The facts that an attempt has at its start, from the archive and from files.
struct IRCStoredState: Sendable {
    /// The partners of direct rooms, present and former, by the room's key.
    var partners: [String: UserReference]
    /// The channels that have a gap while they are not received.
    var rooms: [RoomReference] = []
    var channels: [KnownChannel] = []
    /// The channel keys (mode `k`) by the room's name in the configuration.
    var channelKeys: [String: String] = [:]
}

extension SessionLoop.Outcome {
    /// Returns the outcome with passwords masked in its texts.
    fileprivate func masked(by secrets: IRCSecrets) -> Self {
        switch self {
        case .stopped: self
        case .failed(let detail, let uptime, let pause):
            .failed(detail: secrets.mask(detail), uptime: uptime, pause: pause)
        case .refused(let detail, let advice): .refused(detail: secrets.mask(detail), advice: advice)
        case .needsLogin(let detail): .needsLogin(detail: secrets.mask(detail))
        }
    }
}

extension RegistrationFailure {
    /// Returns the outcome for the loop: the time of the next attempt, or that the login must change.
    ///
    /// - Parameter uptime: The lifetime of the session; nil if there was none.
    func outcome(_ configuration: IRCConfiguration, uptime: Duration? = nil) -> SessionLoop.Outcome {
        func failed(after pause: Duration = .zero) -> SessionLoop.Outcome {
            .failed(detail: detail, uptime: uptime, pause: pause)
        }
        let refused = SessionLoop.Outcome.refused(
            detail: detail, advice: "to retry at once, change the password in its file")
        switch self {
        case .closed: return failed()
        case .banned: return failed(after: configuration.bannedPause)
        case .throttled, .killed, .nickUnavailable, .authenticationUnavailable, .networkUnknown:
            return failed(after: configuration.throttledPause)
        case .passwordRefused, .authenticationFailed(.invalidCredentials): return refused
        // 906 means that the authentication was aborted.
        case .authenticationFailed(.refused(let code, _, _)) where code != "906": return refused
        case .authenticationFailed: return failed(after: configuration.throttledPause)
        }
    }
}
