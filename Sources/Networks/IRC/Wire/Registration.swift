/// Registers a connection: capabilities, authentication, nick, and the server's properties.
///
/// The reader must answer PING first, before this sees it. Nothing here waits, so the caller limits the time.
package struct Registration: Sendable {
    package struct Identity: Sendable {
        package var nick: String
        /// The nicks to try in order when the nick is in use; after them, nicks made from it.
        package var alternatives: [String] = []
        package var user: String
        package var realName: String
        package var serverPassword: String?
        /// The credentials; if there are any, the registration is not ready unless authentication succeeds.
        package var credentials: SASLCredentials?

        package init(nick: String, user: String, realName: String) {
            (self.nick, self.user, self.realName) = (nick, user, realName)
        }
    }

    /// An action for the caller.
    package enum Action: Sendable, Hashable {
        case send(IRCMessage)
        /// The MOTD has ended, and rooms can be joined. ``nick``, ``support`` and ``capabilities`` are known.
        case ready
        /// The MOTD has ended, and the server does not offer authentication, which services provide. ``ready`` follows
        /// when they are back and authentication succeeds.
        case loginAwaited
        /// ``capabilities`` has changed, after ``ready``.
        case capabilitiesChanged
        /// ``support`` has changed, perhaps its case mapping, after ``ready``.
        case supportChanged
        /// The connection can't be used.
        case ended(RegistrationFailure)
    }

    private enum State {
        case negotiating, authenticating, registering, welcomed, ready, ended
    }

    private let identity: Identity
    /// True for a connection without TLS that ends if the server demands TLS.
    private let isUpgradable: Bool
    private var state = State.negotiating
    private var negotiation: CapabilityNegotiation
    private var exchange: SASLExchange?
    private var isAuthenticated = false
    /// True if authentication is awaited, because the server does not offer it at present.
    private var awaitsLogin = false
    private var hasMOTD = false
    /// True if the server says in 004 that it is soju, a bouncer.
    private var isSoju = false
    private var nextNicks: [String]
    /// Our nick, by the server's messages; before 001, the nick that was requested last.
    package private(set) var nick: [UInt8]
    /// The properties that the server has announced so far.
    package private(set) var support = ISupport()
    /// The configured nick, if another user has it; nil otherwise.
    package private(set) var takenNick: [UInt8]?

    /// The capabilities in force.
    package var capabilities: Set<String> { negotiation.enabled }

    /// The server's last demand for TLS; nil if it made none.
    package var strictTransport: StrictTransport? { negotiation.strictTransport }

    /// - Parameter isUpgradable: True for a connection without TLS that ends if the server demands TLS.
    package init(
        _ identity: Identity, capabilities: Set<String> = CapabilityNegotiation.archiverCapabilities,
        isUpgradable: Bool = false
    ) {
        (self.identity, self.isUpgradable) = (identity, isUpgradable)
        let authentication: Set<String> = identity.credentials == nil ? [] : [CapabilityNegotiation.authentication]
        negotiation = CapabilityNegotiation(wanted: capabilities.union(authentication))
        nick = Array(identity.nick)
        nextNicks = (identity.alternatives + NickAlternatives.made(from: identity.nick)).reversed()
    }

    /// Returns the first lines, all at once, because none needs an answer in between.
    package mutating func start() -> [Action] {
        var lines = negotiation.start().compactMap { if case .send(let line) = $0 { line } else { nil } }
        if let password = identity.serverPassword { lines.append(IRCMessage("PASS", password)) }
        lines += [IRCMessage("NICK", identity.nick), IRCMessage("USER", identity.user, "0", "*", identity.realName)]
        return lines.map { .send($0) }
    }

    /// Takes a message. Pass it every message of the connection, also after ``ready``.
    package mutating func receive(_ message: IRCMessage) -> [Action] {
        guard state != .ended else { return [] }
        if let failure = RegistrationFailure(
            message, isRegistered: state == .ready, isAuthenticated: isAuthenticated)
        {
            return end(failure)
        }
        if support.receive(message) { return state == .ready ? [.supportChanged] : [] }
        let actions = negotiation.receive(message).flatMap { perform($0) }
        if isUpgradable, let port = strictTransport?.port { return end(.tlsDemanded(port: port)) }
        guard actions.isEmpty else { return actions }
        let login = (exchange?.receive(message) ?? []).flatMap { perform($0) }
        guard login.isEmpty else { return login }
        if state == .ready, message.verb == "901" { isAuthenticated = false }
        guard state != .ready else { return [] }
        switch message.verb {
        case "001": return welcome(message)
        case "004":
            isSoju = message.param(2, is: "soju")
            return []
        case "NICK": return renamed(message)
        case "376", "422":
            guard state == .welcomed, !hasMOTD else { return [] }
            hasMOTD = true
            return becomeReady()
        // 437 concerns a nick or a channel; before registration there are no channels.
        case "432", "433", "436", "437": return state == .welcomed ? [] : tryNext(message)
        default: return []
        }
    }

    private mutating func perform(_ action: CapabilityNegotiation.Action) -> [Action] {
        switch action {
        case .send(let message): return [.send(message)]
        case .changed: return (state == .ready ? [.capabilitiesChanged] : []) + changeLogin()
        case .settled: return state == .negotiating ? settle() : state == .ready ? [.capabilitiesChanged] : []
        }
    }

    private mutating func settle() -> [Action] {
        guard let credentials = identity.credentials else { return finishNegotiation() }
        let login = CapabilityNegotiation.authentication
        if capabilities.contains(login) {
            state = .authenticating
            return logIn(credentials)
        }
        guard negotiation.isListed, !negotiation.refused.contains(login) else {
            return end(.authenticationUnavailable(Self.noLoginOffered))
        }
        return awaitLogin()
    }

    /// The reason of a failure for people.
    package static let noLoginOffered = "the server does not offer SASL"

    private mutating func logIn(_ credentials: SASLCredentials) -> [Action] {
        let offered = negotiation.offered[CapabilityNegotiation.authentication] ?? ""
        guard offered.isEmpty || offered.split(separator: ",").contains(Substring(credentials.mechanism)) else {
            guard state != .ready else { return [] }
            return end(.authenticationUnavailable("the server supports \(offered), but not \(credentials.mechanism)"))
        }
        var exchange = SASLExchange(credentials)
        let actions = exchange.start()
        self.exchange = exchange
        return actions.flatMap { perform($0) }
    }

    /// Authenticates when the server begins to offer it, also after it has logged us out. Stops when it no longer does.
    private mutating func changeLogin() -> [Action] {
        guard let credentials = identity.credentials, !isAuthenticated else { return [] }
        if capabilities.contains(CapabilityNegotiation.authentication) {
            return exchange == nil ? logIn(credentials) : []
        }
        exchange = nil
        return state == .authenticating ? awaitLogin() : []
    }

    /// Registers without authentication, which comes later. Servers limit the time of a registration, and announce new
    /// capabilities after it as well.
    private mutating func awaitLogin() -> [Action] {
        awaitsLogin = true
        return finishNegotiation()
    }

    private mutating func perform(_ action: SASLExchange.Action) -> [Action] {
        switch action {
        case .send(let message): return [.send(message)]
        case .failed(let failure):
            exchange = nil
            return state == .ready ? [] : end(.authenticationFailed(failure))
        case .succeeded:
            (exchange, isAuthenticated) = (nil, true)
            if state == .authenticating { return finishNegotiation() }
            return state == .welcomed && hasMOTD ? becomeReady() : []
        }
    }

    private mutating func finishNegotiation() -> [Action] {
        state = .registering
        return [.send(IRCMessage("CAP", "END"))]
    }

    private mutating func welcome(_ message: IRCMessage) -> [Action] {
        guard identity.credentials == nil || isAuthenticated || awaitsLogin else {
            return end(.authenticationUnavailable("the server registered us before the login"))
        }
        if !message.param(0).isEmpty { nick = message.param(0) }
        state = .welcomed
        return []
    }

    /// Takes the nick from a NICK after the welcome: a bouncer welcomes us with the requested nick, and sends its own
    /// after that (znc 1.8).
    private mutating func renamed(_ message: IRCMessage) -> [Action] {
        let isOwn = message.source.map { support.caseMapping.fold($0.nick) == support.caseMapping.fold(nick) } ?? false
        if state == .welcomed, isOwn, !message.param(0).isEmpty { nick = message.param(0) }
        return []
    }

    /// Ends the registration. soju also admits users who name no network, and sends nothing in that case; otherwise it
    /// names the network (`BOUNCER_NETID`).
    private mutating func becomeReady() -> [Action] {
        if isSoju, support["BOUNCER_NETID"] == nil { return end(.networkUnknown(text: nil)) }
        guard identity.credentials == nil || isAuthenticated else { return [.loginAwaited] }
        state = .ready
        return [.ready]
    }

    private mutating func tryNext(_ message: IRCMessage) -> [Action] {
        let text = DecodedText(message.params.last ?? []).text
        // 432 means that the server does not allow the nick.
        if message.verb != "432", nick == Array(identity.nick) { takenNick = nick }
        guard let next = nextNicks.popLast() else { return end(.nickUnavailable(code: message.verb, text: text)) }
        nick = Array(next)
        return [.send(IRCMessage("NICK", next))]
    }

    private mutating func end(_ failure: RegistrationFailure) -> [Action] {
        state = .ended
        return [.ended(failure)]
    }
}
