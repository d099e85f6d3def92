/// What `scrollback init NETWORK` prints: a configuration that is valid once its blanks are filled.
package enum ConfigurationTemplate {
    package static func text(network: String) -> String? {
        switch network {
        case "irc": irc
        case "slp": slp
        case "streamchat": streamChat
        default: nil
        }
    }

    private static let irc = """
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

    private static let slp = """
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

    private static let streamChat = """
        # A configuration of Scrollback. Save it as scrollback.toml, fill in the two blanks, and try it:
        #
        #     scrollback listen --check
        #     scrollback listen
        #
        # Lines with a leading "# " and a value show what holds when they are left out.

        # Where the archive is, relative to this file.
        data = "scrollback-data"

        [[account]]
        # What to call it: your own choice, and what `history NAME/ROOM` takes.
        name = "classroom"
        network = "streamchat"

        # BLANK: where the server listens. "scrollback room-server" runs one at tcp://127.0.0.1:5080.
        server = ""

        # BLANK: the name to join under, 1 to 10 characters. The archiver never speaks.
        nick = ""

        # What to call the server's one room.
        room = "lobby"

        # How messages are told apart in what the server sends: "chunk" (each read is one, as in 2021), or what the server
        # ends them with: "lf", "nul", "end".
        # framing = "chunk"

        # Of the protocol: "2021-08" or "2021-04".
        # revision = "2021-08"

        # With "chunk", a read this soon after another may go on with the same message.
        # continuation_ms = 30

        # Longer messages are cut.
        # max_unit_bytes = 65536

        # How often it is recorded that the server was there. A crash shortens what is known to be complete by as much.
        # sign_of_life_seconds = 10

        # How long what the server sent is kept beside the messages that it became: "90d", "52w". Messages are always kept.
        # raw_keep = "forever"

        # What may wait to be stored before reading stops.
        # buffer_bytes = 4194304

        """
}
