import ChatModel
import Logging
import NIOPosix
import Sessions
import Settings

extension SLPSettings: ListenedSettings {
    func check(_ table: inout TableReader) { table.checkAuthorities(authorities) }

    func makeListener(_ account: ListenedAccount) -> any Listener {
        SLPListener(
            SLPListenerConfiguration(self, folder: account.folder), attachments: account.attachments,
            group: .singletonMultiThreadedEventLoopGroup, traffic: account.traffic, tools: account.tools)
    }

    func listenerConfiguration(folder: String) -> (any ListenerConfiguration)? {
        SLPListenerConfiguration(self, folder: folder)
    }

    func unread(_ questions: [UnreadQuestion], folder: String, logger: Logger) async throws -> [UnreadAnswer] {
        let service = SLPListenerConfiguration(self, folder: folder).service
        return try await SLPClient.with(service, logger: logger) { await $0.answers(to: questions) }
    }

    func withFileClient(
        folder: String, logger: Logger, _ body: (any FileClient) async throws -> Void
    ) async throws {
        try await SLPClient.with(SLPListenerConfiguration(self, folder: folder).service, logger: logger, body)
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
        if let authorities = settings.authorities.flatMap({ TrustedAuthorities(pem: $0) }) {
            service.authorities = authorities
            socket.tls.trust(authorities)
        }
        self.init(service: service, socket: socket)
        self.service.limits.fileBytes = Int(settings.files.sizeLimit)
        files = settings.files.limits
        currentCredentials = { settings.currentCredentials }
        channels = Set(settings.channels)
        checkInterval = settings.checkInterval
        signOfLifeInterval = settings.signOfLifeInterval
        bufferBytes = settings.bufferBytes
    }
}

extension SLPSettings {
    /// The present secrets in the files; nil while one of them is unusable.
    fileprivate var currentCredentials: SLPCredentials? {
        guard let appKey = appKey?.current else { return nil }
        let password = password?.current
        if self.password != nil, password == nil { return nil }
        return SLPCredentials(appKey: appKey.value, email: email, password: password?.value)
    }
}
