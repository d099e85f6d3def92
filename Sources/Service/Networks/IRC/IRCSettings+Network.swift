import Listeners
import NIOPosix

extension IRCSettings: NetworkSettings {
    static let network = "irc"
    /// A second socket while both an IPv4 and an IPv6 address are tried (RFC 8305).
    static let socketCount = 2

    static let liveKeys: [ComparedKey<Self>] = [
        .init("rooms", \.rooms), .init("join", \.join), .init("alternative_nicks", \.alternatives),
        // These keys apply at once, and not only from the next login on.
        .init("channel_keys_file", \.channelKeys), .init("redacted", \.redacted),
        .init("fallback_encoding", \.fallback), .init("sign_of_life_seconds", \.signOfLifeInterval),
        .init("buffer_bytes", \.bufferBytes), .init("password_file", \.password, isSame: Secret.isInPlace),
        .init("server_password_file", \.serverPassword, isSame: Secret.isInPlace),
        .init("history_days", \.historyDays),
    ]

    static let fixedKeys: [ComparedKey<Self>] = [
        .init("server", \.server), .init("nick", \.nick), .init("user", \.user), .init("real_name", \.realName),
        .init("sasl", \.sasl), .init("sasl_user", \.saslUser),
        .init("password_file", \.password, isSame: Secret.isThere),
        .init("server_password_file", \.serverPassword, isSame: Secret.isThere),
        .init("ca_file", \.tls.authorities), .init("fingerprint", \.tls.fingerprint),
        .init("certificate_file", \.tls.certificate), .init("key_file", \.tls.key),
    ]

    func makeListener(_ account: ListenedAccount) -> any Listener {
        let tls = server?.isSecure == true ? tls.options : nil
        return IRCListener(
            IRCConfiguration(self),
            connector: TCPConnector(group: .singletonMultiThreadedEventLoopGroup, tls: tls, traffic: account.traffic),
            tools: account.tools)
    }

    func listenerConfiguration(folder: String) -> (any ListenerConfiguration)? {
        IRCConfiguration(self)
    }

    static let template = """
        # A configuration of Scrollback for an IRC network. Save it as scrollback.toml, fill in the blanks, and try it:
        #
        #     scrollback listen --check
        #     scrollback listen
        #
        # Lines with a leading "# " and a value show what holds when they are left out, or an example.

        # Where the archive is, relative to this file.
        data = "scrollback-data"

        [[account]]
        # What to call it: your own choice, and what `history NAME/ROOM` takes.
        name = "chat"
        network = "irc"

        # BLANK: where the server is, as ircs://irc.example.net or ircs://irc.example.net:6697. irc:// is without TLS, and
        # only to this machine.
        server = ""

        # BLANK: the nick to be known by. The archiver never speaks.
        nick = ""

        # Tried in this order where the nick is in use; then it makes some up.
        # alternative_nicks = ["archiver2"]

        # BLANK: the channels to join and archive. "join" says what else: "*" is for bouncers, which know what to join.
        rooms = []
        # join = "rooms"

        # A file with the keys of channels that have one: "#example key" on each line, readable by you alone (chmod 600),
        # relative to this file. channel_keys_env names a variable of the environment instead.
        # channel_keys_file = "chat.keys"

        # How to log in to the network's services: "plain", "scram-sha-256", or "external" with a certificate.
        # sasl = "none"

        # As whom, where it is not the nick; and a file with the password as its first line, readable by you alone
        # (chmod 600), relative to this file. password_env names a variable of the environment instead.
        # sasl_user = "archiver"
        # password_file = "chat.password"

        # Our own certificate and its key in PEM, for sasl = "external".
        # certificate_file = "chat.crt"
        # key_file = "chat.key"

        # The password of the server itself, or of a bouncer, likewise; or server_password_env.
        # server_password_file = "chat.server-password"

        # Of a server with a certificate of its own: a file with the certificates that vouch for it, in PEM; or the SHA-256
        # fingerprint of the one that it has.
        # ca_file = "chat.pem"
        # fingerprint = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

        # What others see of us besides the nick.
        # user = "archiver"
        # real_name = "Scrollback, an archiver"

        # What text is taken for that is no UTF-8: "windows-1252", "iso-8859-1", "iso-8859-15".
        # fallback_encoding = "windows-1252"

        # What becomes of a message that is retracted: "keep" marks it as deleted, "wipe" takes its text away as well.
        # redacted = "keep"

        # How often it is recorded that the server was there. A crash shortens what is known to be complete by as much.
        # sign_of_life_seconds = 10

        # How far back the history of a room is fetched that was never archived; left out: all that the server gives.
        # history_days = 90

        # What may wait to be stored before reading stops.
        # buffer_bytes = 67108864

        """
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
    }
}
