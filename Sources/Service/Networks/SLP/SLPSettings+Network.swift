import ChatModel
import Listeners
import Logging
import NIOPosix

extension SLPSettings: NetworkSettings {
    static let network = "slp"
    static let capabilities: NetworkCapabilities = [.files, .unread]
    /// Eight requests at once (AsyncHTTPClient's limit for a host), two sockets of events, and two files.
    static let socketCount = 12

    static let liveKeys: [ComparedKey<Self>] = [
        .init("channels", \.channels), .init("attachments", \.files.fetched), .init("check_minutes", \.checkInterval),
        .init("sign_of_life_seconds", \.signOfLifeInterval), .init("buffer_bytes", \.bufferBytes),
        .init("password_file", \.password, isSame: Secret.isInPlace),
        .init("app_key_file", \.appKey, isSame: Secret.isInPlace),
    ]

    static let fixedKeys: [ComparedKey<Self>] = [
        .init("server", \.server), .init("email", \.email),
        .init("password_file", \.password, isSame: Secret.isThere), .init("ca_file", \.authorities),
        .init("generation", \.generation), .init("attachment_size_limit", \.files.sizeLimit),
    ]

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

    var fileSizeLimit: Int64? { files.sizeLimit }

    func withFileClient(
        folder: String, logger: Logger, _ body: (any FileClient) async throws -> Void
    ) async throws {
        try await SLPClient.with(SLPListenerConfiguration(self, folder: folder).service, logger: logger, body)
    }

    static let questions: [SetupQuestion] = [
        SetupQuestion(key: "server", words: "Server (https://HOST)"),
        SetupQuestion(key: "email", words: "E-mail address of your account"),
        SetupQuestion(key: "password", words: "Password", kind: .secret(isRequired: false)),
        SetupQuestion(key: "app_key", words: "Key of the service's own app", kind: .secret(isRequired: true)),
    ]

    static let template = """
        # A configuration for a workspace service. Save it as scrollback.toml, fill in each BLANK, and try it:
        #
        #     scrollback config check
        #     scrollback listen
        #
        # A line such as "# key = value" shows the default or an example. Remove the "# " to set the key.

        # The data folder (default: scrollback in $XDG_DATA_HOME, or else in ~/.local/share). A relative path begins at this
        # file.
        # data = "~/.local/share/scrollback"

        [[account]]
        # A name of your choice. Commands take it, for example: scrollback history NAME/ROOM
        name = "work"
        network = "slp"

        # BLANK: the service, for example https://chat.example.net.
        server = ""

        # BLANK: the account's e-mail address.
        email = ""

        # A file with the password in its first line. Only you may read the file (chmod 600). The path is relative to
        # this file. Instead, password_env names an environment variable.
        password_file = "work.password"

        # A file with the key of the service's own app. Instead, app_key_env names an environment variable.
        app_key_file = "work.key"

        # For a server whose certificate no public authority has signed: a file with the certificates in PEM that sign
        # it.
        # ca_file = "work.pem"

        # The generation of the service: 1 or 2 (default: the archiver detects it).
        # generation = 2

        # More channels to archive, besides those that the account is in. Reading a channel joins it.
        # channels = ["announcements"]

        # The files to fetch with messages: "none" or "all". "scrollback attachments --fetch" fetches them at any time.
        # attachments = "none"

        # The size limit of files to fetch.
        # attachment_size_limit = "20MB"

        # The interval at which the archiver checks rooms, people and each room's history for missed changes.
        # check_minutes = 10

        # The interval at which the archiver records that the connection is alive. A crash can leave a gap this long.
        # sign_of_life_seconds = 10

        # The limit of bytes that wait to be stored. At the limit, the archiver stops reading from the server.
        # buffer_bytes = 4194304

        """
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
