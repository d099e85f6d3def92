/// Answers of a homeserver without end.
extension Flood {
    private static let path = "/_matrix/client/v3"
    private static let megabyte = String(repeating: "long ", count: 200_000)

    private static func matrix(_ name: String, _ answers: Answer...) -> Flood {
        Flood(network: .matrix, name: name, answers: answers)
    }

    /// - Parameters:
    ///   - beginning: What comes once, in the room `!r0:x`.
    ///   - piece: What comes again and again.
    private static func synced(_ name: String, _ beginning: String, _ piece: String) -> Flood {
        matrix(name, Answer(path: "\(path)/sync", beginning: room + beginning, piece: piece))
    }

    private static func synced(_ name: String, _ piece: String) -> Flood { synced(name, timeline, piece) }

    private static let room = #"{"rooms":{"join":{"!r0:x":{"#
    private static let timeline = #""timeline":{"events":["#

    private static func event(
        _ type: String, _ content: String, id: String = "$1", more: String = "", sender: String = "@al:x"
    ) -> String {
        #"{"type":"\#(type)","event_id":"\#(id)","sender":"\#(sender)","origin_server_ts":1795000000000,\#(more)"#
            + #""content":{\#(content)}},"#
    }

    private static func text(_ text: String) -> String {
        event("m.room.message", #""msgtype":"m.text","body":"\#(text)""#)
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    static let matrixFloods: [Flood] = syncFloods + callFloods

    private static let syncFloods = [
        synced("messages", text("hello")), synced("long messages", text(megabyte)),
        synced("numbers", "1,"), synced("spaces", "                "), synced("nested lists", nested(200_000) + ","),
        synced("an event without end", timeline + #"{"a":""#, "xxxxxxxxxxxxxxxx"),
        synced("an event that never closes", timeline, "["),
        synced(
            "members", event("m.room.member", #""membership":"join","displayname":"n""#, more: #""state_key":"@u:x","#)),
        synced("encrypted messages", event("m.room.encrypted", #""ciphertext":"AAAA""#)),
        synced("redactions", event("m.room.redaction", "", more: #""redacts":"$2","#)),
        synced(
            "reactions",
            event("m.reaction", #""m.relates_to":{"rel_type":"m.annotation","event_id":"$2","key":"+"}"#)),
        synced("state", #""state":{"events":["#, event("m.room.name", #""name":"n""#, more: #""state_key":"","#)),
        synced("spaces with rooms", event("m.space.child", #""via":["x"]"#, more: #""state_key":"!c:x","#)),
        synced(
            "receipts", #""ephemeral":{"events":["#, #"{"type":"m.receipt","content":{"$1":{"m.read":{"@al:x":{}}}}},"#),
        synced("heroes", #""summary":{"m.heroes":["#, #""@al:x","#),
        synced("keys", #""x":{"#, #""a":1,"#),
        matrix(
            "many rooms",
            Answer(
                path: "\(path)/sync", beginning: #"{"rooms":{"join":{"#, piece: #""!r:x":{"timeline":{"events":[]}},"#)),
        matrix(
            "invitations",
            Answer(
                path: "\(path)/sync", beginning: #"{"rooms":{"invite":{"#,
                piece:
                    #""!r:x":{"invite_state":{"events":[{"type":"m.room.name","state_key":"","sender":"@al:x","content":{"name":"n"}}]}},"#
            )),
        matrix(
            "settings",
            Answer(
                path: "\(path)/sync", beginning: #"{"account_data":{"events":["#,
                piece: #"{"type":"m.direct","content":{}},"#)),
        matrix("a key without end", Answer(path: "\(path)/sync", beginning: #"{""#, piece: "xxxxxxxxxxxxxxxx")),
    ]

    private static let callFloods = [
        matrix("a login without end", Answer(path: "\(path)/login", beginning: #"{"user_id":""#, piece: "xxxxxxxx")),
        matrix("headers without end", Answer(path: "\(path)/login", head: "HTTP/1.1 200 OK\r\n", piece: "X-A: b\r\n")),
        matrix(
            "direct rooms",
            Answer(path: "/account_data/m.direct", beginning: "{", piece: #""@al:x":["!r:x"],"#)),
        matrix("refusals of a sync", Answer(path: "\(path)/sync", head: "HTTP/1.1 500 No\r\n\r\n", piece: "x")),
        matrix(
            "history without end",
            Answer(path: "/messages", beginning: #"{"end":"e","chunk":["#, piece: text("hello"))),
        matrix(
            "history of long messages",
            Answer(path: "/messages", beginning: #"{"end":"e","chunk":["#, piece: text(megabyte))),
        matrix(
            "one event of history without end",
            Answer(path: "/messages", beginning: #"{"chunk":[{"a":""#, piece: "xxxxxxxx")),
        matrix("a file without end", Answer(path: "/_matrix/client/v1/media/", piece: "xxxxxxxxxxxxxxxx")),
    ]
}
