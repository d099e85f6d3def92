package import Networks

extension StreamChatSettings: NetworkSettings {
    package static let traits = NetworkTraits.streamChat
    /// A second socket while both an IPv4 and an IPv6 address are tried (RFC 8305).
    package static let socketCount = 2

    package static let liveKeys: [ComparedKey<Self>] = []

    package static let fixedKeys: [ComparedKey<Self>] = [
        .init("server", \.server), .init("nick", \.nick), .init("room", \.room), .init("framing", \.framing),
        .init("revision", \.revision), .init("continuation_ms", \.continuation),
        .init("max_unit_bytes", \.maximumUnitBytes), .init("sign_of_life_seconds", \.signOfLifeInterval),
        .init("buffer_bytes", \.bufferBytes),
    ]

    package static let questions: [SetupQuestion] = [
        SetupQuestion(key: "server", words: "Server (tcp://HOST:PORT)"),
        SetupQuestion(key: "nick", words: "Name to join under (1 to 10 characters)"),
        SetupQuestion(key: "room", words: "Your name for the server's one room"),
    ]

    package static let template = makeTemplate(
        for: "a StreamChat server", name: "classroom",
        keys: """
            # BLANK: the server, as tcp://HOST:PORT. "scrollback room-server" runs one at tcp://127.0.0.1:5080.
            server = ""

            # BLANK: the archiver's name in the room, 1 to 10 characters. The archiver never speaks.
            nick = ""

            # A name of your choice for the server's one room.
            room = "lobby"

            # The end of each message from the server: "lf", "nul" or "end" (::END). With "chunk", each read is one message.
            # framing = "chunk"

            # The revision of the protocol: "2021-08" or "2021-04".
            # revision = "2021-08"

            # With "chunk": a read within this time after another may continue the same message.
            # continuation_ms = 30

            # The limit of bytes in one message. Longer messages are cut.
            # max_unit_bytes = 65536

            \(ConfigurationTemplate.signOfLife)

            # The time to keep the server's original bytes, for example "90d" or "52w". Messages are always kept.
            # raw_keep = "forever"

            # Your other names and ids on the network: their messages are yours, too.
            #   me = ["alice"]

            # The largest size of the account; an account of that size takes nothing more. Without it, the disk is the limit.
            #   max_size = "10GB"

            # Names of bots, which "--hide bots" hides.
            # bots = []

            \(ConfigurationTemplate.buffer())

            # The time to keep messages. Without it, all are kept for ever.
            # [[account.retention]]
            #   max_age = "365d"

            """)
}
