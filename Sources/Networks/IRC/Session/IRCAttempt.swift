import ChatModel
import IRCWire
import Logging
import Sessions

/// One attempt to archive an account's rooms: connects, registers, joins, and receives until that ends.
struct IRCAttempt: Sendable {
    let listener: IRCListener
    let attempt: SessionAttempt

    private var configuration: IRCConfiguration { listener.configuration }

    func run() async -> SessionLoop.Outcome {
        await attemptOnce().masked(by: configuration.secrets)
    }

    private func attemptOnce() async -> SessionLoop.Outcome {
        let stored: IRCStoredState
        do {
            stored = IRCStoredState(
                partners: try await attempt.loop.state.partners(),
                rooms: try await attempt.loop.state.expectedRooms(kind: .channel),
                channels: try await attempt.loop.state.channels(), channelKeys: configuration.secrets.channelKeys,
                lastReceipt: try await attempt.loop.state.lastReceipt()?.time)
        } catch {
            return .failed(detail: "the archive can't be read: \(error)")
        }
        guard case .upgradable(let secured, let rule) = listener.transport else {
            return await connect(by: listener.connector, port: configuration.port, stored).outcome
        }
        noteEnd(of: rule)
        if let port = rule.port(at: listener.tools.readClocks().wall) {
            return await connectSecurely(by: secured, port: port, stored)
        }
        let plain = await connect(by: listener.connector, port: configuration.port, isUpgradable: true, stored)
        guard let port = plain.demandedPort, !attempt.stop.isSet else { return plain.outcome }
        return await connectSecurely(by: secured, port: port, stored)
    }

    /// Connects to the port that the server demands, and to no other.
    private func connectSecurely(
        by connector: any Connector, port: Int, _ stored: IRCStoredState
    ) async -> SessionLoop.Outcome {
        let demand = RegistrationFailure.tlsDemanded(port: port).detail
        listener.tools.logger.info("the server asks for TLS; connecting by TLS", metadata: ["port": "\(port)"])
        attempt.loop.reporter.noteError("\(demand); connecting by TLS")
        let secure = await connect(by: connector, port: port, stored)
        guard !secure.isAnswered, case .failed(let detail, let uptime, let pause) = secure.outcome else {
            return secure.outcome
        }
        let address = "ircs://\(configuration.host):\(port)"
        return .failed(
            detail: "\(demand): \(detail); for certificates, set server = \"\(address)\"", uptime: uptime, pause: pause)
    }

    /// The end of one connection.
    private struct Ending: Sendable {
        var outcome: SessionLoop.Outcome
        /// True if the server sent anything, by TLS if that applies.
        var isAnswered: Bool
        /// The port at which the server demands TLS instead.
        var demandedPort: Int?
    }

    private func connect(
        by connector: any Connector, port: Int, isUpgradable: Bool = false, _ stored: IRCStoredState
    ) async -> Ending {
        do throws(ConnectionError) {
            return try await connector.withConnection(host: configuration.host, port: port) { connection in
                let login = IRCLogin(
                    Registration(
                        configuration.identity(), capabilities: configuration.capabilities, isUpgradable: isUpgradable))
                let rule = isUpgradable ? nil : listener.transport.rule
                let link = IRCLink(
                    login, listener: listener, connection: connection, attempt: attempt,
                    keepDemand: { await keep($0, rule, port: port) })
                let outcome = await link.run(stored)
                return Ending(
                    outcome: outcome, isAnswered: connection.readsTaken > 0, demandedPort: link.demandedPort)
            }
        } catch {
            return Ending(outcome: .failed(detail: error.detail), isAnswered: false)
        }
    }

    private func noteEnd(of rule: IRCTransportRule) {
        attempt.loop.reporter.noteRule(until: rule.end(at: listener.tools.readClocks().wall))
    }

    private func keep(_ demand: StrictTransport, _ rule: IRCTransportRule?, port: Int) async {
        do {
            try await rule?.note(demand, port: port, at: listener.tools.readClocks().wall)
            if case .upgradable(_, let rule) = listener.transport { noteEnd(of: rule) }
        } catch {
            listener.tools.logger.warning(
                "the server's rule to connect by TLS can't be kept", metadata: ["error": "\(error)"])
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
    /// The latest time of receipt, by this machine's clock; nil in a new archive.
    var lastReceipt: Timestamp?
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
        case .closed, .tlsDemanded: return failed()
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
