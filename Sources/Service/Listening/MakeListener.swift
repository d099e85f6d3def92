import ChatModel
import Listeners
import Logging
import NIOPosix

/// The listener of an account's network.
///
/// - Parameters:
///   - folder: Of the account, for what its listener keeps from one run to the next.
///   - attachments: Where files go.
///   - traffic: Counts what is received.
func makeListener(
    _ account: AccountConfiguration, folder: String, attachments: any AttachmentStore, traffic: Traffic?, logger: Logger
) -> any Listener {
    var logger = logger
    logger[metadataKey: "account"] = "\(account.identity.name)"
    switch account.network {
    case .irc(let settings):
        let tls = settings.server?.isSecure == true ? settings.tls.options : nil
        return IRCListener(
            IRCConfiguration(settings),
            connector: TCPConnector(group: .singletonMultiThreadedEventLoopGroup, tls: tls, traffic: traffic),
            logger: logger)
    case .streamChat(let settings):
        return StreamChatListener(
            StreamChatConfiguration(settings),
            connector: TCPConnector(group: .singletonMultiThreadedEventLoopGroup, traffic: traffic),
            logger: logger)
    case .slp(let settings):
        return SLPListener(
            SLPListenerConfiguration(settings, folder: folder), attachments: attachments,
            group: .singletonMultiThreadedEventLoopGroup, traffic: traffic, logger: logger)
    }
}

extension ListenerConfiguration {
    /// Nil for a network that is met anew whatever changes.
    ///
    /// - Parameter folder: Of the account.
    init?(_ account: AccountConfiguration, folder: String) {
        switch account.network {
        case .irc(let settings): self = .irc(IRCConfiguration(settings))
        case .slp(let settings): self = .slp(SLPListenerConfiguration(settings, folder: folder))
        case .streamChat: return nil
        }
    }
}

extension IRCConfiguration {
    /// - Precondition: the settings are whole.
    init(_ settings: IRCSettings) {
        guard let server = settings.server else { preconditionFailure("a configuration without a server") }
        self.init(host: server.host, port: server.port, nick: settings.nick, rooms: settings.rooms)
        isInRoomsOfItsOwn = settings.join == .all
        alternatives = settings.alternatives
        user = settings.user ?? settings.nick
        realName = settings.realName ?? realName
        let saslUser = settings.saslUser ?? settings.nick
        authentication =
            switch settings.sasl {
            case .none: .none
            case .plain: .plain(user: saslUser)
            case .scram: .scramSHA256(user: saslUser)
            case .external: .external
            }
        secrets = IRCSecrets(
            password: settings.password?.value, serverPassword: settings.serverPassword?.value,
            channelKeys: IRCChannelKeys.parse(settings.channelKeys?.value ?? "").keys)
        currentSecrets = { settings.currentSecrets }
        fallback = settings.fallback
        wipesRedacted = settings.redacted == .wipe
        signOfLifeInterval = settings.signOfLifeInterval
        bufferBytes = settings.bufferBytes
        historyDays = settings.historyDays
    }
}

extension SLPListenerConfiguration {
    /// - Precondition: the settings are whole.
    init(_ settings: SLPSettings, folder: String) {
        guard let server = settings.server else { preconditionFailure("a configuration without a server") }
        let credentials = SLPCredentials(
            appKey: settings.appKey?.value ?? "", email: settings.email, password: settings.password?.value)
        var service = SLPConfiguration(
            server: server, credentials: credentials, generation: settings.generation, tokenPath: folder + "/tokens")
        var socket = SocketIOConfiguration(host: server.host, port: server.port, isSecure: server.isSecure)
        if let authorities = settings.authorities {
            service.authorities = authorities
            socket.tls.trust(authorities)
        }
        self.init(service: service, socket: socket)
        self.service.limits.fileBytes = Int(settings.attachmentSizeLimit)
        files.bytes = settings.attachmentSizeLimit
        files.fetchesAll = settings.attachments == .all
        currentCredentials = { settings.currentCredentials }
        channels = Set(settings.channels)
        checkInterval = settings.checkInterval
        signOfLifeInterval = settings.signOfLifeInterval
        bufferBytes = settings.bufferBytes
    }
}

extension SLPSettings {
    /// As the files have them by now; nil while one of them is no use.
    fileprivate var currentCredentials: SLPCredentials? {
        guard let appKey = appKey?.current else { return nil }
        let password = password?.current
        if self.password != nil, password == nil { return nil }
        return SLPCredentials(appKey: appKey.value, email: email, password: password?.value)
    }
}

extension StreamChatConfiguration {
    init(_ settings: StreamChatSettings) {
        self.init(
            host: settings.server.host, port: settings.server.port, nick: settings.nick, room: settings.room)
        framing = settings.framing
        revision = settings.revision
        continuation = settings.continuation
        unitCap = settings.maximumUnitBytes
        signOfLifeInterval = settings.signOfLifeInterval
        bufferBytes = settings.bufferBytes
    }
}
