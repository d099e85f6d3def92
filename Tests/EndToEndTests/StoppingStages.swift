import TestSupport

/// A stage of a network's conversation at which a server can hang: what the server says before, and the account that meets it.
struct StoppingStage: Sendable {
    enum Network: Sendable { case streamChat, irc, ircOverTLS, workspace, matrix, xmpp }

    let name: String
    let network: Network
    var script = StalledServer.Script()
    /// Further keys of the account.
    var keys = ""

    func account(_ name: String, port: Int) -> String {
        let server =
            switch network {
            case .streamChat:
                "network = \"streamchat\"\nserver = \"tcp://127.0.0.1:\(port)\"\nnick = \"archiver\"\nframing = \"nul\""
            case .irc, .ircOverTLS:
                """
                network = "irc"
                server = "\(network == .irc ? "irc" : "ircs")://127.0.0.1:\(port)"
                nick = "archiver"
                rooms = ["#example"]
                """
            case .matrix:
                """
                network = "matrix"
                server = "http://127.0.0.1:\(port)"
                user = "@archiver:example.net"
                password_file = "secret"
                """
            case .xmpp:
                """
                network = "xmpp"
                jid = "archiver@example.net"
                server = "tcp://127.0.0.1:\(port)"
                password_file = "secret"
                rooms = ["room@rooms.example.net"]
                """
            case .workspace:
                """
                network = "slp"
                server = "http://127.0.0.1:\(port)"
                generation = 2
                email = "archiver@example.net"
                password_file = "secret"
                app_key_file = "secret"
                """
            }
        return "[[account]]\nname = \"\(name)\"\n\(server)\n\(keys)\n"
    }
}

extension StoppingStage {
    static let all: [StoppingStage] = streamChat + irc + workspaces + matrix + xmpp

    static let streamChat: [StoppingStage] = [
        said("connected", .streamChat, [], unit: { _ in "bob::hi\0" }),
        said("joining", .streamChat, [("USR_NAME", "")], unit: { _ in "bob::hi\0" }),
        said("hearing", .streamChat, [("USR_NAME", "bob::hi\0")], head: "bob::", unit: { "bob::hi \($0)\0" }),
    ]

    // MARK: IRC

    static let irc: [StoppingStage] =
        [
            said("handshake", .ircOverTLS, [], head: "\u{16}\u{03}\u{01}\u{40}\u{00}", unit: { _ in "noise" }),
            said("connected", .irc, [], unit: { ":irc.example NOTICE * :\($0)\r\n" }),
            said(
                "capabilities", .irc, [("USER ", capabilities("sasl=PLAIN"))],
                unit: { ":irc.example NOTICE * :\($0)\r\n" },
                keys: login),
            said(
                "SASL", .irc, [("USER ", capabilities("sasl=PLAIN")), ("CAP REQ", ":irc.example CAP * ACK :sasl\r\n")],
                unit: { ":irc.example NOTICE * :\($0)\r\n" }, keys: login),
            said("registration", .irc, [("USER ", capabilities(""))], unit: { ":irc.example 372 archiver :\($0)\r\n" }),
            said("join", .irc, registered, unit: { ":irc.example NOTICE archiver :\($0)\r\n" }),
            said("names", .irc, registered + [("JOIN", joined)], head: ":irc.example 353 archiver = #example :") {
                ":irc.example 353 archiver = #example :user\($0)\r\n"
            },
            said("history", .irc, history, head: ":irc.example BATCH +1 chathistory #example\r\n") {
                "@batch=1;time=2026-11-21T06:23:00.000Z :bob!b@h PRIVMSG #example :\($0)\r\n"
            },
        ] + floods

    /// What is heard in a room, and what took longest to stop.
    static let floods: [StoppingStage] = [
        said("hearing", .irc, inRoom, head: ":bob!b@h PRIVMSG #example :") { ":bob!b@h PRIVMSG #example :\($0)\r\n" },
        said("nicks", .irc, inRoom, head: ":bob!b@h NICK ") {
            $0 % 2 == 0 ? ":bob!b@h NICK rob\r\n" : ":rob!b@h NICK bob\r\n"
        },
        said("queries", .irc, inRoom, head: ":bob!b@h PRIVMSG archiver :") {
            ":bob\($0)!b@h PRIVMSG archiver :hi\r\n"
        },
        said("kicks", .irc, inRoom, head: ":bob!b@h KICK #example ") { _ in
            ":bob!b@h KICK #example archiver :out\r\n:archiver!a@h JOIN #example\r\n"
        },
    ]

    private static let login = "sasl = \"plain\"\npassword_file = \"secret\""
    private static let joined = ":archiver!a@h JOIN #example\r\n:bob!b@h JOIN #example\r\n"
    private static let names =
        ":irc.example 353 archiver = #example :archiver bob\r\n:irc.example 366 archiver #example :End\r\n"
    private static let welcome = ":irc.example 001 archiver :Welcome\r\n:irc.example 376 archiver :End\r\n"
    private static let registered = [("USER ", capabilities("") + welcome)]
    private static let inRoom = registered + [("JOIN", joined + names)]
    private static let extensions = "batch draft/chathistory message-tags server-time"
    private static let history = [
        ("USER ", capabilities(extensions)), ("CAP REQ", ":irc.example CAP * ACK :\(extensions)\r\n"),
        (
            "CAP END",
            ":irc.example 001 archiver :Welcome\r\n:irc.example 005 archiver CHATHISTORY=100 :are\r\n"
                + ":irc.example 376 archiver :End\r\n"
        ),
        ("JOIN", joined + names), ("CHATHISTORY", ""),
    ]

    private static func capabilities(_ offered: String) -> String { ":irc.example CAP * LS :\(offered)\r\n" }

    private static func said(
        _ name: String, _ network: Network, _ steps: [(String, String)], head: String = "",
        unit: @escaping @Sendable (Int) -> String, keys: String = ""
    ) -> StoppingStage {
        var stage = StoppingStage(name: "\(network) \(name)", network: network, keys: keys)
        stage.script.steps = steps.map { (awaits: $0.0, says: $0.1) }
        (stage.script.head, stage.script.unit) = (head, unit)
        return stage
    }

    private static func said(
        _ name: String, _ network: Network, _ steps: [(String, String)], head: String,
        _ unit: @escaping @Sendable (Int) -> String
    ) -> StoppingStage {
        said(name, network, steps, head: head, unit: unit)
    }

    // MARK: Workspaces

    static let workspaces: [StoppingStage] = [
        asked("login", 0), asked("profile", 1), asked("workspaces", 2), asked("members", 3), asked("channels", 4),
        asked("direct rooms", 5), asked("members of a channel", 6), asked("Engine.IO", 7),
        asked("WebSocket", 7, [poll(upgrades: "\"websocket\"")]),
        overWebSocket("upgraded", says: "") { _ in "6" },
        overWebSocket("hearing", says: frame("3probe") + frame("40/ws-channel-1,"), [chats(files: "")]) {
            "42/ws-channel-1,[\"channel\",\(chat($0))]"
        },
        asked("namespace", 7, [poll(), sent]),
        asked("history", 7, [poll(), sent, granted]),
        asked("hearing", 7, [poll(), sent, granted, chats(files: "")]) {
            "42/ws-channel-1,[\"channel\",\(chat($0))]\u{1e}"
        },
        asked("file", 7, [poll(), sent, granted, chats(files: "\"/uploads/a.png\"")], keys: "attachments = \"all\""),
        refresh,
    ]

    private static let refresh: StoppingStage = {
        var stage = asked("refresh", 2)
        stage.script.routes.append(
            ("/v1/workspaces ", StalledServer.answer(#"{"errorCode":"E05"}"#, status: "401 Unauthorized")))
        return stage
    }()

    private static let routes: [(awaits: String, says: String)] = [
        ("/v1/users/login", StalledServer.answer(#"{"token":{"accessToken":"a","refreshToken":"r"}}"#)),
        ("/v1/users/me", StalledServer.answer(#"{"user_id":"1","email":"archiver@example.net"}"#)),
        ("/v1/workspaces ", StalledServer.answer(#"[{"workspace_id":"1","name":"work"}]"#)),
        ("/v1/workspaces/1/members", StalledServer.answer("[]")),
        ("/v1/workspaces/1/my-channels", StalledServer.answer(#"[{"channel_id":"1","name":"general"}]"#)),
        ("/v1/workspaces/1/dms", StalledServer.answer("[]")),
        ("/v1/workspaces/1/channels/1/members", StalledServer.answer("[]")),
    ]

    private static func poll(upgrades: String = "") -> (awaits: String, says: String) {
        (
            "transport=polling",
            StalledServer.answer(
                #"0{"sid":"1","upgrades":[\#(upgrades)],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}"#
            )
        )
    }

    private static let sent = (awaits: "POST /socket.io/", says: StalledServer.answer("ok"))
    private static let granted = (
        awaits: "GET /socket.io/", says: StalledServer.answer(#"40/ws-channel-1,{"sid":"2"}"#)
    )

    private static func chats(files: String) -> (awaits: String, says: String) {
        ("/v1/workspaces/1/channels/1/chats", StalledServer.answer("{\"chats\":[\(chat(0, files: files))]}"))
    }

    private static func chat(_ number: Int, files: String = "") -> String {
        #"{"chat_id":"\#(number)","content":"hi","createdAt":"2026-11-21T06:23:00.000Z","files":[\#(files)],"#
            + #""user":{"user_id":"2","nickname":"bob"}}"#
    }

    /// - Parameters:
    ///   - says: What the server says as soon as the connection is a WebSocket.
    ///   - packet: One of what floods it, by its number.
    private static func overWebSocket(
        _ name: String, says: String, _ more: [(awaits: String, says: String)] = [],
        _ packet: @escaping @Sendable (Int) -> String
    ) -> StoppingStage {
        let upgrade = (awaits: "transport=websocket", says: says)
        var stage = asked("WebSocket \(name)", 7, [poll(upgrades: "\"websocket\""), upgrade] + more) {
            frame(packet($0))
        }
        stage.script.head = frame("6")
        return stage
    }

    /// A message of a WebSocket, a character a byte.
    private static func frame(_ text: String) -> String {
        let bytes = Flood.frame(0x81, Array(text.utf8))
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    // MARK: XMPP

    static let xmpp: [StoppingStage] = [
        said("connected", .xmpp, [], unit: { _ in " " }),
        said("features", .xmpp, [("version='1.0'", stream)], head: "<stream:features>") { _ in "<a/>" },
        said("login", .xmpp, [("version='1.0'", stream + mechanisms), ("<auth", "")], unit: { _ in " " }),
    ]

    private static let stream =
        "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>"
    private static let mechanisms =
        "<stream:features><mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>SCRAM-SHA-1</mechanism>"
        + "</mechanisms></stream:features>"

    // MARK: Matrix

    static let matrix: [StoppingStage] = [
        homeserver("login", 0), homeserver("joined rooms", 1), homeserver("direct rooms", 2),
        homeserver("ignored people", 3), homeserver("sync", 4),
        homeserver("hearing", 4, head: #"{"rooms":{"join":{"!r:x":{"timeline":{"events":["#) {
            #"{"type":"m.room.message","event_id":"$\#($0)","sender":"@bob:x","origin_server_ts":1,"#
                + #""content":{"msgtype":"m.text","body":"hi"}},"#
        },
    ]

    private static let calls: [(awaits: String, says: String)] = [
        (
            "/_matrix/client/v3/login",
            StalledServer.answer(#"{"access_token":"a","user_id":"@archiver:example.net","device_id":"D"}"#)
        ),
        ("/joined_rooms", StalledServer.answer(#"{"joined_rooms":["!r:x"]}"#)),
        ("/account_data/m.direct", StalledServer.answer("{}")),
        ("/account_data/m.ignored_user_list", StalledServer.answer("{}")),
    ]

    /// - Parameter answers: How many of the usual calls are answered.
    private static func homeserver(
        _ name: String, _ answers: Int, head: String = "{\"never\":[",
        _ unit: @escaping @Sendable (Int) -> String = { "\($0)," }
    ) -> StoppingStage {
        var stage = StoppingStage(name: "matrix \(name)", network: .matrix)
        stage.script.routes = [("/never", "")] + calls.prefix(answers)
        stage.script.head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n" + head
        stage.script.unit = unit
        return stage
    }

    /// - Parameter answers: How many of the usual calls are answered.
    private static func asked(
        _ name: String, _ answers: Int, _ more: [(awaits: String, says: String)] = [], keys: String = "",
        _ unit: @escaping @Sendable (Int) -> String = { "\(chat($0))," }
    ) -> StoppingStage {
        var stage = StoppingStage(name: "workspace \(name)", network: .workspace, keys: keys)
        // One that is never asked for stands where none is answered.
        stage.script.routes = [("/never", "")] + routes.prefix(answers) + more
        stage.script.head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n["
        stage.script.unit = unit
        return stage
    }
}
