import NIOPosix
import Sessions
import Settings

extension IRCSettings: ListenedSettings {
    func check(_ table: inout TableReader) { tls.check(&table) }

    var certificateWarnings: [String] { [tls.validityWarning(now: time(nil))].compactMap(\.self) }

    func makeListener(_ account: ListenedAccount) -> any Listener {
        let configuration = IRCConfiguration(self)
        func connector(_ tls: TLSOptions?) -> TCPConnector {
            TCPConnector(group: .singletonMultiThreadedEventLoopGroup, tls: tls, traffic: account.traffic)
        }
        let rule = IRCTransportRule(path: account.folder + "/tls-rule", host: configuration.host)
        let isSecure = server?.isSecure == true
        let transport: IRCTransport =
            isSecure
            ? .secure(rule) : server?.isThisMachine == true ? .plain : .upgradable(to: connector(tls.options), rule)
        return IRCListener(
            configuration, connector: connector(isSecure ? tls.options : nil), transport: transport,
            tools: account.tools)
    }

    func listenerConfiguration(folder: String) -> (any ListenerConfiguration)? {
        IRCConfiguration(self)
    }
}

extension IRCConfiguration {
    /// - Precondition: the settings are whole.
    init(_ settings: IRCSettings) {
        guard let server = settings.server else { preconditionFailure("a configuration without a server") }
        self.init(host: server.host, port: server.port, nick: settings.nick, rooms: settings.rooms)
        staysInAllRooms = settings.join == .all
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
        loginAttempts = settings.loginAttempts
    }
}

extension IRCSettings {
    /// The present secrets in the files; nil while one of them is unusable.
    var currentSecrets: IRCSecrets? {
        let (password, serverPassword) = (self.password?.current, self.serverPassword?.current)
        if self.password != nil, password == nil { return nil }
        if self.serverPassword != nil, serverPassword == nil { return nil }
        let keys = channelKeys?.current.map { IRCChannelKeys.parse($0.value) }
        if channelKeys != nil, keys == nil || keys?.wrongLine != nil { return nil }
        return IRCSecrets(
            password: password?.value, serverPassword: serverPassword?.value, channelKeys: keys?.keys ?? [:])
    }
}
