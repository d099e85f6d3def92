import ChatModel
import Logging
import NIOPosix
import Sessions
import Settings

extension MatrixSettings: ListenedSettings {
    func check(_ table: inout TableReader) { table.checkAuthorities(authorities) }

    func makeListener(_ account: ListenedAccount) -> any Listener {
        MatrixListener(
            MatrixListenerConfiguration(self, folder: account.folder), attachments: account.attachments,
            group: .singletonMultiThreadedEventLoopGroup, traffic: account.traffic, tools: account.tools)
    }

    func listenerConfiguration(folder: String) -> (any ListenerConfiguration)? {
        MatrixListenerConfiguration(self, folder: folder)
    }

    func unread(_ questions: [UnreadQuestion], folder: String, logger: Logger) async throws -> [UnreadAnswer] {
        try await withClient(folder: folder, logger: logger) { await $0.answers(to: questions) }
    }

    func withFileClient(
        folder: String, logger: Logger, _ body: (any FileClient) async throws -> Void
    ) async throws {
        try await withClient(folder: folder, logger: logger, body)
    }

    func tryConnecting() async -> [ConnectionFinding]? {
        var configuration = MatrixListenerConfiguration(self, folder: "")
        (configuration.tokenPath, configuration.backupKeyPath, configuration.tries) = (nil, nil, 1)
        return await MatrixTrial.findings(configuration)
    }

    private func withClient<Result: Sendable>(
        folder: String, logger: Logger, _ body: (MatrixClient) async throws -> Result
    ) async throws -> Result {
        try await MatrixClient.with(
            MatrixListenerConfiguration(self, folder: folder), traffic: nil, tools: ListenerTools(logger: logger),
            group: .singletonMultiThreadedEventLoopGroup, body)
    }
}

extension MatrixListenerConfiguration {
    /// - Precondition: the settings are whole.
    init(_ settings: MatrixSettings, folder: String) {
        guard let server = settings.server else { preconditionFailure("a configuration without a server") }
        self.init(
            server: server,
            credentials: MatrixCredentials(
                user: settings.user, password: settings.password?.value, token: settings.token?.value,
                loginToken: settings.loginToken?.value))
        tokenPath = folder + "/tokens"
        backupKeyPath = folder + "/backup-key"
        hasRecovery = settings.recoveryKey != nil || settings.recoveryPassphrase != nil
        recovery = { settings.currentRecovery }
        currentCredentials = { settings.currentCredentials }
        horizon = settings.historyDays.map { .seconds($0 * 86_400) }
        bufferBytes = settings.bufferBytes
        files = settings.files.limits
        if let authorities = settings.authorities.flatMap({ TrustedAuthorities(pem: $0) }) { tls.trust(authorities) }
    }
}

extension MatrixSettings {
    /// The present recovery key or passphrase; nil while its file is unusable.
    fileprivate var currentRecovery: MatrixRecovery? {
        if let recoveryKey { return recoveryKey.current.map { MatrixRecovery(key: $0.value) } }
        return recoveryPassphrase?.current.map { MatrixRecovery(key: nil, passphrase: $0.value) }
    }

    /// The present secrets in the files; nil while one of them is unusable.
    fileprivate var currentCredentials: MatrixCredentials? {
        let (password, token, login) = (self.password?.current, self.token?.current, self.loginToken?.current)
        guard (self.password == nil) == (password == nil), (self.token == nil) == (token == nil),
            (self.loginToken == nil) == (login == nil)
        else { return nil }
        return MatrixCredentials(
            user: user, password: password?.value, token: token?.value, loginToken: login?.value)
    }
}
