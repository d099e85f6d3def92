import Testing

/// A small file of a known format, for the matrix of recognition (``RecognitionTests``).
///
/// To add a format's samples: add a `static let` for its family below, one element for each way in which the format's
/// files begin, and name it in ``all``. Exactly the format of the sample must claim it.
struct Sample: Sendable, CustomTestStringConvertible {
    /// The format's name.
    let format: String
    /// The file's path, as it may be found in a folder or an archive.
    let path: String
    /// The file's beginning.
    let bytes: [UInt8]

    init(format: String, path: String, bytes: [UInt8]) {
        (self.format, self.path, self.bytes) = (format, path, bytes)
    }

    init(format: String, path: String, text: String) {
        self.init(format: format, path: path, bytes: Array(text.utf8))
    }

    var testDescription: String { "\(format) \(path)" }

    /// The samples of every format, by family.
    static let all =
        jsonLines + irssi + weechat + znc + energymech + mirc + hexchat + whatsapp + kakaotalk + line + databases
        + discord + telegram
        + slack

    static let jsonLines = [
        Sample(
            format: "jsonl", path: "export.jsonl",
            text: #"{"id": "2026-11-21T06:23:11.123456Z", "kind": "join", "room": "a"}"#),
        Sample(
            format: "jsonl", path: "account.jsonl",
            text: #"{"record": "account", "name": "libera", "network": "irc"}"#),
    ]

    static let irssi = [
        Sample(
            format: "irssi", path: "irclogs/libera/#example.log",
            text: "--- Log opened Sat Nov 21 06:23:11 2026\n06:23 -!- a [b@c] has joined #example"),
        Sample(format: "irssi", path: "#example.2026-11-21.log", text: "06:23 <@alice> hi"),
        Sample(format: "irssi", path: "#example.log", text: "2026-11-21 06:23:11 < alice> hi"),
        Sample(
            format: "irssi", path: "irclogs/libera/#example.11-21.log",
            text: "--- Log opened Sat Nov 21 06:23:11 2026\n06:23 < alice> hi"),
        Sample(
            format: "irssi", path: "ChannelLogger/libera/#example/#example.log",
            text: "2026-11-21T06:23:11  *** alice <alice!~alice@host> has joined #example"),
        Sample(
            format: "irssi", path: "example-2026-11-21.log",
            text: "2026-11-21T06:23:11+00:00  *** alice has joined #example"),
    ]

    static let weechat = [
        Sample(
            format: "weechat", path: "irc.libera.#example.weechatlog", text: "2026-11-21 06:23:11\t@alice\thi"),
        Sample(
            format: "weechat", path: "2026-11-21.log",
            text: "2026-11-21 06:23:11.123456Z\t-->\talice (a@b) has joined #example"),
    ]

    static let znc = [
        Sample(
            format: "znc", path: "libera/#example/2026-11-21.log",
            text: "[06:23:11] <alice> hi\n[06:23:11] *** Joins: a (b@c)"),
        Sample(format: "znc", path: "alice_libera_#example_20261121.log", text: "[06:23:11] <alice> hi"),
        Sample(format: "znc", path: "2026/2026-11-21.txt", text: "[2026-11-21 06:23:11] <alice> hi"),
        Sample(
            format: "znc", path: "log/irc.example.net/#example/2026-11-21.log",
            text: "[2026-11-21T06:23:11+0900] alice arrives in #example"),
        Sample(format: "znc", path: "#example_2026-11-21.txt", text: "[06:23:11] *** Join: alice (~alice@host)"),
        Sample(
            format: "znc", path: "libera (A1B2C)/Channels/#example/2026-11-21.txt",
            text: "[2026-11-21T06:23:11+0900] <alice> hi\n[2026-11-21T06:23:12+0900] bob (~bob@host) joined the channel"
        ),
        Sample(
            format: "znc", path: "libera-0123/#example.log",
            text: "[2026-11-21T06:23:11.123Z] *** alice (~alice@host) joined\n[2026-11-21T06:23:12.123Z] <alice> hi"),
        Sample(
            format: "znc", path: "libera/#example.txt",
            text: "[2026-11-21 06:23:11] → alice joined (~alice@host)\n[2026-11-21 06:23:12] <alice> hi"),
        Sample(
            format: "znc", path: "#example.2026-11-21.log",
            text: "[06:23:11] -->| alice (~alice@host) has joined #example\n[06:23:12] <alice> hi"),
    ]

    static let energymech = [
        Sample(format: "energymech", path: "libera/#example/2026-11-21.log", text: "[06:23] <alice> hi"),
        Sample(
            format: "energymech", path: "2026-11-21.txt",
            text: "=== alice [~a@host]  has joined #example\n[06:23] <bob> hi"),
        Sample(
            format: "energymech", path: "#example_2026-11-21.log",
            text: "=== alice [~a@host] has joined #example\n[06:23:11] <bob> hi"),
    ]

    static let mirc = [
        Sample(
            format: "mirc", path: "logs/#example.libera.20261121.log",
            text: """
                Session Start: Sat Nov 21 06:23:11 2026
                Session Ident: #example
                [06:23] * Now talking in #example
                [06:24] <@alice> hi
                """),
        Sample(
            format: "mirc", path: "#example.20261121.log",
            text: "03[06:23] * Joins: alice (~alice@host)\n[06:24] <bob> hi\n"),
        Sample(
            format: "mirc", path: "logs/libera/alice.log",
            text: "\r\nSession Start: Sat Nov 21 06:23:11 2026\r\nSession Ident: alice (~alice@host)\r\n<alice> hi\r\n"),
        Sample(
            format: "mirc", path: "#example_20041115.log",
            text: "[06:23:11] <bob> hi\n[06:23:12] * alice (~alice@host) Quit (bye)"),
    ]

    static let hexchat = [
        Sample(
            format: "hexchat", path: "logs/libera/#example.log",
            text: """
                **** BEGIN LOGGING AT Sat Nov 21 06:23:11 2026

                Nov 21 06:23:11 *\tNow talking on #example
                Nov 21 06:23:12 <@alice>\thi
                """),
        Sample(
            format: "hexchat", path: "libera-#example.log",
            text: "**** PROTOKOLL BEGINNT AM Thu May  7 06:23:11 2026\n\nMai 07 06:23:11 -->\talice has joined #example"
        ),
        Sample(format: "hexchat", path: "#example.log", text: "11월 21 06:23:11 <alice>\t안녕"),
        Sample(
            format: "hexchat", path: "#example.2026-11-21.log",
            text: "**** BEGIN LOGGING AT Sat Nov 21 06:23:11 2026\n\n[06:23:11] <alice>\thi"),
    ]

    /// What an import makes of SQLite files.
    static let databases = ["thelounge", "quassel", "soju", "slackdump"].map { name in
        Sample(
            format: name, path: "\(name).sqlite",
            text: #"{"database":"\#(name)","networks":[{"key":"1","name":"libera"}]}"# + "\n" + #"{"network":"1"}"#)
    }

    static let whatsapp = [
        Sample(format: "whatsapp", path: "WhatsApp Chat with Minsu.txt", text: "21/11/2026, 06:23 - Alice: hi"),
        Sample(
            format: "whatsapp", path: "_chat.txt", text: "\u{FEFF}\u{200E}[21/11/2026, 06:23:11] Alice: \u{200E}hi"),
        Sample(format: "whatsapp", path: "2026-11-21.txt", text: "[2026-11-21, 06:23:11] Alice: <hi>"),
        Sample(format: "whatsapp", path: "2026-11-21.txt", text: "2026-11-21 06:23 - Alice: hi"),
    ]

    static let discord = [
        Sample(
            format: "discord", path: "example.json",
            text: """
                {"guild": {"id": "1", "name": "Example"}, "channel": {"id": "20", "type": "GuildTextChat", "name": "a"},
                 "messages": [{"id": "100", "type": "Default", "timestamp": "2026-11-21T06:23:11+00:00",
                 "content": "hi", "author": {"id": "7", "name": "alice"}}]}
                """)
    ]

    static let telegram = [
        Sample(
            format: "telegram", path: "result.json",
            text: """
                {"name": "example", "type": "private_supergroup", "id": 20, "messages": [
                {"id": 11, "type": "message", "date": "2026-11-21T06:23:11", "date_unixtime": "1795242191",
                 "from": "alice", "from_id": "user7", "text": "hi"}]}
                """),
        Sample(
            format: "telegram", path: "result.json",
            text: """
                {"about": "Here is the data", "chats": {"about": "All chats", "list": [
                {"name": "example", "type": "private_group", "id": 20, "messages": []}]}}
                """),
    ]

    static let slack = [
        Sample(
            format: "slack", path: "export/example/2026-11-21.json",
            text: #"[{"type": "message", "user": "U7", "ts": "1795242191.000200", "text": "hi"}]"#),
        Sample(format: "slack", path: "export/users.json", text: #"[{"id": "U7", "name": "alice"}]"#),
        Sample(format: "slack", path: "export/channels.json", text: #"[{"id": "C1", "name": "example"}]"#),
    ]
}
