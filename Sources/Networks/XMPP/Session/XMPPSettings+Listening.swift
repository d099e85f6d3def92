import ChatModel
import Logging
import NIOPosix
import Sessions
import Settings
import XMPPWire

extension XMPPSettings: ListenedSettings {
    func check(_ table: inout TableReader) { tls.check(&table) }

    var certificateWarnings: [String] { [tls.validityWarning(now: time(nil))].compactMap(\.self) }

    func makeListener(_ account: ListenedAccount) -> any Listener {
        let servers = XMPPServers(self, account.traffic)
        return XMPPListener(
            XMPPConfiguration(self), servers: { await servers.find() },
            files: fileClient(account.traffic, account.tools.clock), attachments: account.attachments,
            tools: account.tools)
    }

    private func fileClient(_ traffic: Traffic?, _ clock: any Clock<Duration>) -> XMPPFileClient {
        // The account's own certificate is for its own server alone.
        var trusted = TLSOptions()
        if let authorities = tls.authorities.flatMap({ TrustedAuthorities(pem: $0) }) {
            trusted.configuration.trust(authorities)
        }
        return XMPPFileClient(
            group: .singletonMultiThreadedEventLoopGroup, tls: trusted, limit: files.sizeLimit, traffic: traffic,
            clock: clock)
    }

    func withFileClient(
        folder: String, logger: Logger, _ body: (any FileClient) async throws -> Void
    ) async throws {
        let client = fileClient(nil, ContinuousClock())
        try await client.whileOpen { try await body(client) }
    }

    func tryConnecting() async -> [ConnectionFinding]? {
        await XMPPTrial.findings(
            XMPPConfiguration(self), at: await XMPPServers(self, nil).find(), clock: ContinuousClock())
    }

    func listenerConfiguration(folder: String) -> (any ListenerConfiguration)? { XMPPConfiguration(self) }
}

extension XMPPConfiguration {
    /// - Precondition: the settings are whole.
    init(_ settings: XMPPSettings) {
        guard let account = JID(settings.jid) else { preconditionFailure("a configuration without an address") }
        self.init(account: account, secrets: XMPPSecrets(settings))
        currentSecrets = { settings.currentSecrets }
        hasCertificate = settings.tls.certificate != nil
        isPrivate = settings.server?.security != XMPPAddress.Security.none
        nick = settings.nick ?? account.local
        let passwords = secrets.roomPasswords
        rooms = settings.rooms.compactMap { [nick] room in
            JID(room.room).map { XMPPRoomWish(room: $0, nick: room.nick ?? nick, password: passwords[room.room]) }
        }
        joinsBookmarks = settings.joinsBookmarks
        archivesDirect = settings.archivesDirect
        wipesRedacted = settings.redacted == .wipe
        horizon = .seconds(settings.historyDays * 86_400)
        files = settings.files.limits
        loginAttempts = settings.loginAttempts
        signOfLifeInterval = settings.signOfLifeInterval
        bufferBytes = settings.bufferBytes
    }
}

extension XMPPSecrets {
    init(_ settings: XMPPSettings) {
        let rooms = settings.roomPasswords.map { XMPPRoomAddress.passwords($0.value).passwords }
        self.init(password: settings.password?.value, roomPasswords: rooms ?? [:])
    }
}

extension XMPPSettings {
    /// The present secrets in the files; nil while one of them is unusable.
    fileprivate var currentSecrets: XMPPSecrets? {
        var present = self
        (present.password, present.roomPasswords) = (password?.current, roomPasswords?.current)
        guard (password == nil) == (present.password == nil), (roomPasswords == nil) == (present.roomPasswords == nil)
        else { return nil }
        return XMPPSecrets(present)
    }
}
