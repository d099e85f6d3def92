package import Networks

extension IRCSettings: NetworkSettings {
    package static let traits = NetworkTraits.irc
    /// A second socket while both an IPv4 and an IPv6 address are tried (RFC 8305).
    package static let socketCount = 2

    package static let liveKeys: [ComparedKey<Self>] = [
        .init("rooms", \.rooms), .init("join", \.join), .init("alternative_nicks", \.alternatives),
        // These keys apply at once, and not only from the next login on.
        .init("channel_keys_file", \.channelKeys), .init("redacted", \.redacted),
        .init("fallback_encoding", \.fallback), .init("sign_of_life_seconds", \.signOfLifeInterval),
        .init("buffer_bytes", \.bufferBytes), .init("password_file", \.password, isSame: Secret.isInPlace),
        .init("server_password_file", \.serverPassword, isSame: Secret.isInPlace),
        .init("history_days", \.historyDays), .init("login_attempts", \.loginAttempts),
    ]

    package static let fixedKeys: [ComparedKey<Self>] = [
        .init("server", \.server), .init("nick", \.nick), .init("user", \.user), .init("real_name", \.realName),
        .init("sasl", \.sasl), .init("sasl_user", \.saslUser),
        .init("password_file", \.password, isSame: Secret.isThere),
        .init("server_password_file", \.serverPassword, isSame: Secret.isThere),
        .init("ca_file", \.tls.authorities), .init("fingerprint", \.tls.fingerprint),
        .init("certificate_file", \.tls.certificate), .init("key_file", \.tls.key),
    ]

    package var warnings: [String] {
        rooms.compactMap { room in
            if room == "*" { return "rooms: \"*\" is no channel; for all rooms of a bouncer, set join = \"*\"" }
            return Self.channel(meantBy: room).map {
                "rooms: \"\(room)\" has no prefix of a channel; did you mean \"\($0)\"?"
            }
        }
    }

    /// Returns the channel that a name without a prefix probably means; nil for a name with a prefix. Servers may have
    /// other prefixes than `#`, `&`, `+` and `!` (RFC 2811 §2.1), but hardly letters.
    package static func channel(meantBy name: String) -> String? {
        name.first.map { $0.isLetter || $0.isNumber } == true ? "#" + name : nil
    }

    /// The setting for a bouncer, which is in the account's rooms already.
    private static let allRooms = (key: "join", value: Join.all.rawValue)

    /// The form of the password of each bouncer.
    private static let passwords = [
        (bouncer: "znc", form: "The password of ZNC has the form USER/NETWORK:PASSWORD."),
        (bouncer: "soju", form: "The password of soju has the form USER/NETWORK:PASSWORD."),
        (bouncer: "bip", form: "The password of bip has the form USER:PASSWORD:CONNECTION."),
    ]

    /// A warning for people whose own client shows ZNC's playback (znc 1.8.2).
    private static let playback = """
        ZNC clears its playback when a client connects, so your own client would miss it. To keep it, type there:
          /msg *status LoadMod --type=user controlpanel
          /msg *controlpanel Set AutoClearChanBuffer $me false
          /msg *controlpanel Set AutoClearQueryBuffer $me false
        """

    /// Returns what to know about the bouncer that the name of the server names; about each if it names none.
    package static func note(onBouncerAt server: String) -> String {
        let known = passwords.filter { names($0.bouncer, server) }
        let shown = known.isEmpty ? passwords : known
        let text =
            ["The listener archives every channel that the bouncer is in."] + shown.map(\.form)
            + (shown.contains { $0.bouncer == "znc" } ? [playback] : [])
        return text.joined(separator: "\n").split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }

    /// Returns true if the name of a server has the name of a bouncer in it.
    package static func isBouncer(_ server: String) -> Bool {
        ["znc", "soju", "bip", "bnc", "bouncer"].contains { names($0, server) }
    }

    private static func names(_ bouncer: String, _ server: String) -> Bool {
        server.lowercased().split { !$0.isLetter }.contains(Substring(bouncer))
    }

    package static let questions: [SetupQuestion] = [
        SetupQuestion(key: "server", words: "Server (ircs://HOST or ircs://HOST:PORT)"),
        SetupQuestion(key: "nick", words: "Nick"),
        SetupQuestion(
            key: "join", words: "Is this a bouncer that is in your channels?", kind: .confirmation, also: allRooms,
            note: { note(onBouncerAt: $0.string("server") ?? "") }, isAsked: { isBouncer($0.string("server") ?? "") }),
        SetupQuestion(
            key: "rooms", words: "Channels, with spaces between them (*: all that your bouncer is in)", kind: .list,
            also: allRooms, note: { note(onBouncerAt: $0.string("server") ?? "") }, isAsked: { !$0.isOfBouncer },
            meant: { channel(meantBy: $0) }),
        SetupQuestion(
            key: "server_password", words: "Password of the bouncer",
            kind: .secret(isRequired: false), isAsked: { $0.isOfBouncer }),
        SetupQuestion(
            key: "password", words: "Password of the nick's account", kind: .secret(isRequired: false),
            also: ("sasl", "plain")),
    ]

    package static let template = makeTemplate(
        for: "an IRC network", name: "chat",
        keys: """
            # BLANK: the server, for example ircs://irc.example.net or ircs://irc.example.net:6697. irc:// (without TLS) is
            # allowed only to this machine.
            server = ""

            # BLANK: the archiver's nick. The archiver never speaks.
            nick = ""

            # Nicks to try in this order when the nick is in use. After these the archiver makes some up.
            # alternative_nicks = ["archiver2"]

            # BLANK: the channels to join and archive, for example ["#example"]. For a bouncer, set join = "*": the bouncer
            # joins the channels, and all of them are archived.
            rooms = []
            # join = "rooms"

            # A file with the keys of channels, one on each line as "#example key". Only you may read the file (chmod 600).
            # The path is relative to this file. Instead, channel_keys_env names an environment variable.
            # channel_keys_file = "chat.keys"

            # The login to the network's services: "none", "plain", "scram-sha-256", or "external" (with a certificate).
            # sasl = "none"

            # The user of that login (default: the nick), and a file with the password in its first line. Only you may read
            # the file (chmod 600). The path is relative to this file. Instead, password_env names an environment variable.
            # sasl_user = "archiver"
            # password_file = "chat.password"

            # The archiver's own certificate and its key in PEM, for sasl = "external".
            # certificate_file = "chat.crt"
            # key_file = "chat.key"

            # A file with the password of the server or the bouncer itself. Instead, server_password_env names an
            # environment variable.
            # server_password_file = "chat.server-password"

            # For a server whose certificate no public authority has signed: a file with the certificates in PEM that sign
            # it, or the SHA-256 fingerprint of its certificate.
            # ca_file = "chat.pem"
            # fingerprint = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

            # The archiver's user name and real name, which other people on the network can see.
            # user = "archiver"
            # real_name = "Scrollback, an archiver"

            # The encoding of text that is not UTF-8: "windows-1252", "cp949", "iso-2022-jp", "koi8-r" and others.
            # fallback_encoding = "windows-1252"

            # Retracted messages: "keep" marks them as deleted, "wipe" also erases their text.
            # redacted = "keep"

            \(ConfigurationTemplate.signOfLife)

            # The days of history to fetch for a room that was never archived (default: all that the server has).
            # history_days = 90

            # Names of bots besides those that the network marks; "--hide bots" hides them.
            # bots = ["ChanServ"]

            \(ConfigurationTemplate.buffer(67_108_864))

            """)
}

extension ConfigurationSetup {
    fileprivate var isOfBouncer: Bool { string("join") == IRCSettings.Join.all.rawValue }
}
