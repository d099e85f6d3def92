/// Packets of Engine.IO and Socket.IO, frames of a WebSocket, and answers over HTTP, as a workspace's server sends them.
extension Flood {
    /// The room is heard.
    private static let granted = frame(0x81, Array("40/ws-channel-r0,".utf8))

    /// - Parameter packets: A WebSocket's message each, with `{}` and `{+}` in them.
    private static func socket(
        _ name: String, _ packets: String..., count: Int = 5000, answers: [Answer] = []
    ) -> Flood {
        Flood(
            network: .slp, name: name, greeting: granted,
            content: {
                (0..<count).flatMap { number in
                    packets.flatMap { packet in
                        let text = packet.replacing("{}", with: "\(number)")
                            .replacing("{+}", with: "\((number + 1) % count)")
                        return frame(0x81, Array(text.utf8))
                    }
                }
            }, answers: answers)
    }

    private static func frames(_ name: String, _ frames: @escaping @Sendable () -> [UInt8]) -> Flood {
        Flood(network: .slp, name: name, greeting: granted, content: frames)
    }

    private static func polled(_ name: String, _ packets: String, count: Int = 5000) -> Flood {
        Flood(network: .slp, name: name, content: { numbered(packets, count) }, isPolled: true)
    }

    /// - Parameter content: What the socket sends meanwhile.
    private static func http(_ name: String, _ answers: Answer..., packet: String = "6") -> Flood {
        var flood = socket(name, packet, count: packet == "6" ? 1 : 5000, answers: answers)
        // One that says nothing, so that only the answers count.
        if packet == "6" { flood.content = { [] } }
        return flood
    }

    /// A frame of a server, which masks nothing (RFC 6455 §5.2).
    static func frame(_ head: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            switch payload.count {
            case ..<126: [UInt8(payload.count)]
            case ..<65536: [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
            default: [127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
            }
        return [head] + length + payload
    }

    private static func chat(_ id: String, _ text: String, user: String = "al", files: String = "") -> String {
        #"{"chat_id":"\#(id)","channel_id":"r0","channelName":"r0","content":"\#(text)","#
            + #""createdAt":"2026-01-01T00:00:00.000Z","files":[\#(files)],"user":{"user_id":"\#(user)","#
            + #""nickname":"\#(user)","email":null,"profileImage":"/\#(user)"}}"#
    }

    private static func event(_ chat: String) -> String { #"42/ws-channel-r0,["channel",\#(chat)]"# }

    private static let megabyte = String(repeating: "long ", count: 200_000)
    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    static let workspaceFloods: [Flood] = socketFloods + frameFloods + pollFloods + answerFloods

    private static let socketFloods = [
        socket("messages", event(chat("{}", "hello {}"))),
        socket("messages of many", event(chat("{}", "hello {}", user: "u{}")), count: 20_000),
        socket("one message edited", event(chat("1", "hello {}"))),
        socket(
            "one person renamed",
            event(#"{"chat_id":"1","createdAt":"2026-01-01T00:00:00Z","user":{"user_id":"u","nickname":"n{}"}}"#)),
        socket("files", event(chat("{}", "see", files: #""/static/{}","/static/a{}""#))),
        socket(
            "many files", event(chat("{}", "see", files: String(repeating: #""","#, count: 300_000) + #""""#)), count: 2
        ),
        socket(
            "many keys",
            event(
                String(repeating: #"{"a":1,"#, count: 1) + String(repeating: #""a":1,"#, count: 300_000) + #""b":1}"#),
            count: 2),
        socket("long messages", event(chat("{}", megabyte)), count: 2),
        socket("escaped messages", event(chat("{}", String(repeating: #"\uAC00"#, count: 340_000))), count: 2),
        socket("nested lists", event(nested(200_000)), count: 2),
        socket("events without JSON", #"42/ws-channel-r0,["channel",{{}]"#),
        socket("events of a namespace that is not ours", #"42/ws-channel-x{},["channel",{}]"#),
        socket("namespaces granted and ended", "40/ws-channel-r0,", "41/ws-channel-r0,"),
        socket("namespaces granted that are not ours", "40/ws-channel-x{},"),
        socket("refusals", #"44/ws-channel-r0,{"message":"no {}"}"#),
        socket("refusals of long names", "44/ws-channel-" + megabyte + ",{}", count: 2),
        socket("acknowledgements", "43/ws-channel-r0,1[]"),
        socket("attachments that do not come", #"451-/ws-channel-r0,["channel",{"_placeholder":true,"num":0}]"#),
        socket("unknown packets", "49"), socket("noop", "6"), socket("ping", "2"), socket("pong", "3{}"),
        socket("open", #"0{"sid":"{}"}"#), socket("unknown types", "x{}"), socket("empty messages", "4"),
        socket("close", "1"),
        socket(
            "messages while history comes", event(chat("{}", "hello {}")),
            answers: [Answer(path: "/chats", beginning: "[", piece: " ")]),
    ]

    private static let frameFloods = [
        frames("empty frames") { [UInt8]([[UInt8]](repeating: frame(0x81, []), count: 50_000).joined()) },
        frames("pings") { [UInt8]([[UInt8]](repeating: frame(0x89, [1, 2, 3]), count: 50_000).joined()) },
        frames("pongs") { [UInt8]([[UInt8]](repeating: frame(0x8A, []), count: 50_000).joined()) },
        frames("binary frames") { [UInt8]([[UInt8]](repeating: frame(0x82, [1]), count: 50_000).joined()) },
        frames("attachments") {
            let head = frame(0x81, Array(#"4564-/ws-channel-r0,["channel",{}]"#.utf8))
            return head
                + [UInt8]([[UInt8]](repeating: frame(0x82, [UInt8](repeating: 1, count: 60_000)), count: 64).joined())
        },
        frames("fragments") {
            frame(0x01, [UInt8(ascii: "6")]) + [UInt8]([[UInt8]](repeating: frame(0x00, []), count: 1000).joined())
                + frame(0x80, [])
        },
        frames("fragments without end") {
            frame(0x01, [UInt8(ascii: "4")]) + [UInt8]([[UInt8]](repeating: frame(0x00, []), count: 50_000).joined())
        },
        frames("a frame that is too long") {
            [0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0] + [UInt8](repeating: UInt8(ascii: "4"), count: 1 << 20)
        },
        frames("no frames") { [UInt8](repeating: 0xFF, count: 1 << 20) },
    ]

    private static let pollFloods = [
        polled("polled messages", event(chat("{}", "hello {}")) + "\u{1E}"),
        polled("polled nothing", "\u{1E}"), polled("polled noop", "6\u{1E}"), polled("polled pings", "2\u{1E}"),
        polled("a polled packet without end", "4xxxxxxxxxxxxxxxxxxxx", count: 50_000),
        polled("polled attachments", "bAAAA\u{1E}"),
    ]

    private static let answerFloods = [
        http("history without end", Answer(path: "/chats", beginning: "[", piece: chat("1", "hello") + ",")),
        http("history of long messages", Answer(path: "/chats", beginning: "[", piece: chat("1", megabyte) + ",")),
        http(
            "history of many files",
            Answer(
                path: "/chats", beginning: "[",
                piece: chat("1", "", files: String(repeating: #""","#, count: 300_000) + #""""#) + ",")),
        http("history of numbers", Answer(path: "/chats", beginning: "[", piece: "1,")),
        http(
            "one element of history without end", Answer(path: "/chats", beginning: #"[""#, piece: "xxxxxxxxxxxxxxxx")),
        http("spaces for history", Answer(path: "/chats", beginning: "[", piece: "                ")),
        http(
            "chunks for history",
            Answer(
                path: "/chats", head: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", beginning: "1\r\n[\r\n",
                piece: "1\r\n \r\n")),
        http(
            "many workspaces",
            Answer(
                path: "/workspaces", beginning: "[", piece: #"{"workspace_id":"w"},"#, count: 380_000,
                end: #"{"workspace_id":"w"}]"#)),
        http(
            "numbers for workspaces",
            Answer(path: "/workspaces", beginning: "[", piece: "1,", count: 4_100_000, end: "1]")),
        http(
            "many people",
            Answer(path: "/members", beginning: "[", piece: #"{"user_id":1},"#, count: 590_000, end: "1]")),
        http(
            "people with long names",
            Answer(
                path: "/members", beginning: "[", piece: #"{"user_id":1,"nickname":"\#(megabyte)"},"#, count: 8,
                end: "1]")),
        http(
            "many channels",
            Answer(path: "/my-channels", beginning: "[", piece: #"{"channel_id":1},"#, count: 480_000, end: "1]")),
        http(
            "many workspaces and long names",
            Answer(
                path: "/workspaces", beginning: "[", piece: #"{"workspace_id":"w"},"#, count: 1000,
                end: #"{"workspace_id":"w"}]"#),
            Answer(
                path: "/my-channels", beginning: "[", piece: #"{"channel_id":1,"name":"\#(megabyte)"},"#, count: 7,
                end: "1]")),
        http(
            "many direct rooms",
            Answer(
                path: "/dms", beginning: "[", piece: #"{"room_id":1,"user":{"user_id":2}},"#, count: 230_000, end: "1]")
        ),
        http("a list without end", Answer(path: "/workspaces", beginning: "[", piece: " ")),
        http("headers without end", Answer(path: "/workspaces", head: "HTTP/1.1 200 OK\r\n", piece: "X-A: b\r\n")),
        http(
            "informational answers",
            Answer(
                path: "/workspaces", head: "HTTP/1.1 103 Early Hints\r\n\r\n", piece: "HTTP/1.1 103 Early Hints\r\n\r\n"
            )),
        http("a login without end", Answer(path: "/users/login", beginning: #"{"user_id":""#, piece: "xxxxxxxx")),
        http(
            "refusals of history", Answer(path: "/chats", head: "HTTP/1.1 500 No\r\n\r\n", piece: "x"),
            packet: #"44/ws-channel-r0,{"message":"no"}"#),
        http(
            "a file without end", Answer(path: "/static/", piece: "xxxxxxxxxxxxxxxx"),
            packet: event(chat("{}", "", files: #""/static/{}""#))),
        http(
            "a refused file",
            Answer(path: "/static/", head: "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", piece: "", count: 0),
            packet: event(chat("{}", "", files: #""/static/{}""#))),
        http("a handshake without end", Answer(path: "/socket.io/", piece: "0xxxxxxxxxxxxxxx")),
    ]
}
