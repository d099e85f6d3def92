import Listeners
import NIOPosix

extension StreamChatSettings: NetworkSettings {
    static let network = "streamchat"
    /// A second socket while both an IPv4 and an IPv6 address are tried (RFC 8305).
    static let socketCount = 2

    static let liveKeys: [ComparedKey<Self>] = []

    static let fixedKeys: [ComparedKey<Self>] = [
        .init("server", \.server), .init("nick", \.nick), .init("room", \.room), .init("framing", \.framing),
        .init("revision", \.revision), .init("continuation_ms", \.continuation),
        .init("max_unit_bytes", \.maximumUnitBytes), .init("sign_of_life_seconds", \.signOfLifeInterval),
        .init("buffer_bytes", \.bufferBytes),
    ]

    func makeListener(_ account: ListenedAccount) -> any Listener {
        StreamChatListener(
            StreamChatConfiguration(self),
            connector: TCPConnector(group: .singletonMultiThreadedEventLoopGroup, traffic: account.traffic),
            tools: account.tools)
    }

    static let template = """
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

extension StreamChatConfiguration {
    init(_ settings: StreamChatSettings) {
        self.init(
            host: settings.server.host, port: settings.server.port, nick: settings.nick, room: settings.room)
        framing = settings.framing
        revision = settings.revision
        continuation = settings.continuation
        unitCap = settings.maximumUnitBytes
        signOfLifeInterval = settings.signOfLifeInterval
        bufferBytes = settings.bufferBytes
    }
}
