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
        .init("channels", \.channels), .init("attachments", \.attachments), .init("check_minutes", \.checkInterval),
        .init("sign_of_life_seconds", \.signOfLifeInterval), .init("buffer_bytes", \.bufferBytes),
        .init("password_file", \.password, isSame: Secret.isInPlace),
        .init("app_key_file", \.appKey, isSame: Secret.isInPlace),
    ]

    static let fixedKeys: [ComparedKey<Self>] = [
        .init("server", \.server), .init("email", \.email),
        .init("password_file", \.password, isSame: Secret.isThere), .init("ca_file", \.authorities),
        .init("generation", \.generation), .init("attachment_size_limit", \.attachmentSizeLimit),
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

    static let template = """
        # A configuration of Scrollback for a workspace service. Save it as scrollback.toml, fill in the blanks, and try it:
        #
        #     scrollback listen --check
        #     scrollback listen
        #
        # Lines with a leading "# " and a value show what holds when they are left out.

        # Where the archive is, relative to this file.
        data = "scrollback-data"

        [[account]]
        # What to call it: your own choice, and what `history NAME/ROOM` takes.
        name = "work"
        network = "slp"

        # BLANK: where the service is, as https://chat.example.net.
        server = ""

        # BLANK: the account's e-mail address.
        email = ""

        # A file with the password as its first line, readable by you alone (chmod 600), relative to this file. password_env
        # names a variable of the environment instead.
        password_file = "work.password"

        # The key of the service's own app, likewise; or app_key_env.
        app_key_file = "work.key"

        # Of a server with a certificate of its own: a file with the certificates that vouch for it, in PEM.
        # ca_file = "work.pem"

        # 1 or 2; it is found out by asking.
        # generation = 2

        # Your own channels are archived, and these, which reading joins.
        # channels = ["announcements"]

        # Whether the files that come with messages are fetched too: "none" or "all". "scrollback attachments --fetch" fetches
        # them at any time.
        # attachments = "none"

        # Larger files are not fetched.
        # attachment_size_limit = "20MB"

        # How often every room's history and the lists of rooms and people are asked for again, whatever was heard.
        # check_minutes = 10

        # How often it is recorded that the server was there. A crash shortens what is known to be complete by as much.
        # sign_of_life_seconds = 10

        # What may wait to be stored before reading stops.
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
    /// The present secrets in the files; nil while one of them is unusable.
    fileprivate var currentCredentials: SLPCredentials? {
        guard let appKey = appKey?.current else { return nil }
        let password = password?.current
        if self.password != nil, password == nil { return nil }
        return SLPCredentials(appKey: appKey.value, email: email, password: password?.value)
    }
}
