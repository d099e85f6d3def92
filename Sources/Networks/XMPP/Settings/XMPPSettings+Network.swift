package import Networks

extension XMPPSettings: NetworkSettings {
    package static let traits = NetworkTraits.xmpp
    package static let capabilities: NetworkCapabilities = [.files]
    /// A second socket while both an IPv4 and an IPv6 address are tried (RFC 8305), and two files with their sockets.
    package static let socketCount = 6

    package static let liveKeys: [ComparedKey<Self>] = [
        .init("history_days", \.historyDays), .init("redacted", \.redacted), .init("attachments", \.files.fetched),
        .init("sign_of_life_seconds", \.signOfLifeInterval), .init("login_attempts", \.loginAttempts),
        .init("buffer_bytes", \.bufferBytes), .init("password_file", \.password, isSame: Secret.isInPlace),
        .init("room_passwords_file", \.roomPasswords, isSame: Secret.isInPlace),
    ]

    package static let fixedKeys: [ComparedKey<Self>] = [
        .init("jid", \.jid), .init("server", \.server), .init("nick", \.nick), .init("rooms", \.rooms),
        .init("bookmarks", \.joinsBookmarks), .init("direct", \.archivesDirect),
        .init("attachment_size_limit", \.files.sizeLimit),
        .init("password_file", \.password, isSame: Secret.isThere),
        .init("room_passwords_file", \.roomPasswords, isSame: Secret.isThere),
        .init("ca_file", \.tls.authorities), .init("fingerprint", \.tls.fingerprint),
        .init("certificate_file", \.tls.certificate), .init("key_file", \.tls.key),
    ]

    package var fileSizeLimit: Int64? { files.sizeLimit }

    package static let questions: [SetupQuestion] = [
        SetupQuestion(key: "jid", words: "Your address (NAME@DOMAIN)"),
        SetupQuestion(key: "password", words: "Password", kind: .secret(isRequired: true)),
        SetupQuestion(key: "rooms", words: "Rooms (room@conference.example.org …)", kind: .list),
    ]

    package static let template = makeTemplate(
        for: "an XMPP account", name: "xmpp",
        keys: """
            # BLANK: the account's address, for example alice@example.org.
            jid = ""

            # A file with the password in its first line. Only you may read the file (chmod 600). The path is relative to
            # this file. Instead, password_env names an environment variable.
            password_file = "xmpp.password"

            # BLANK: the rooms to join, for example ["room@conference.example.org"]. A nick may follow a slash.
            rooms = []

            # true joins the rooms of the account's bookmarks, too.
            # bookmarks = false

            # true archives the conversations with single people, too.
            # direct = false

            # The nick in rooms. By default, it is the name before the @.
            #   nick = "archiver"

            # A file with the passwords of rooms: an address, a space and the password, one room a line.
            # room_passwords_file = "xmpp.rooms"

            # The server. By default, the domain of the address names its servers in DNS. xmpps://HOST connects by TLS,
            # xmpp://HOST by STARTTLS, tcp://HOST without TLS to a server on this machine.
            #   server = "xmpps://xmpp.example.org"

            # For a server whose certificate no public authority has signed: a file with the certificates in PEM that sign
            # it, or the SHA-256 fingerprint of its certificate.
            # ca_file = "xmpp.pem"
            # fingerprint = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

            # The archiver's own certificate and its key in PEM, with which to log in.
            # certificate_file = "xmpp.crt"
            # key_file = "xmpp.key"

            # How many days of history to fetch when the archiver first sees a room.
            # history_days = 30

            # The text of a message that was retracted: "keep" or "wipe".
            # redacted = "keep"

            # The number of refused logins after which the archiver waits for a person.
            # login_attempts = 3

            \(ConfigurationTemplate.attachments)

            \(ConfigurationTemplate.signOfLife)

            \(ConfigurationTemplate.buffer())

            """)
}
