import SLPWire

extension Array<UInt8> {
    init(_ text: String) {
        self.init(text.utf8)
    }

    /// In two at every place, whole, and byte by byte.
    var splits: [[[UInt8]]] {
        [[self]] + indices.dropFirst().map { [Array(self[..<$0]), Array(self[$0...])] } + [map { [$0] }]
    }
}

/// A Socket.IO packet and the texts and attachments that carry it, as the protocol's page encodes them.
struct PacketVector: Sendable, CustomStringConvertible {
    var packet: SocketPacket
    var text: String

    init(_ text: String, _ packet: SocketPacket) {
        self.packet = packet
        self.text = text
    }

    var description: String { text }

    static let all = [
        PacketVector("0", SocketPacket(.connect)),
        PacketVector(
            #"0{"sid":"wZX3oN0bSVIhsaknAAAI"}"#,
            SocketPacket(.connect, payload: Array(#"{"sid":"wZX3oN0bSVIhsaknAAAI"}"#))),
        PacketVector("0/admin,", SocketPacket(.connect, "/admin")),
        PacketVector(
            #"0/admin,{"sid":"oSO0OpakMV_3jnilAAAA"}"#,
            SocketPacket(.connect, "/admin", payload: Array(#"{"sid":"oSO0OpakMV_3jnilAAAA"}"#))),
        PacketVector(
            #"4{"message":"Not authorized"}"#,
            SocketPacket(.connectError, payload: Array(#"{"message":"Not authorized"}"#))),
        PacketVector(#"2["foo"]"#, SocketPacket(.event, payload: Array(#"["foo"]"#))),
        PacketVector(#"2/admin,["bar"]"#, SocketPacket(.event, "/admin", payload: Array(#"["bar"]"#))),
        PacketVector(
            #"51-["baz",{"_placeholder":true,"num":0}]"#,
            SocketPacket(
                .event, payload: Array(#"["baz",{"_placeholder":true,"num":0}]"#), attachments: [[1, 2, 3, 4]])),
        PacketVector(
            #"52-/admin,["baz",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]"#,
            SocketPacket(
                .event, "/admin",
                payload: Array(#"["baz",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]"#),
                attachments: [[1, 2], [3, 4]])),
        PacketVector(#"212["foo"]"#, SocketPacket(.event, id: 12, payload: Array(#"["foo"]"#))),
        PacketVector("312[]", SocketPacket(.ack, id: 12, payload: Array("[]"))),
        PacketVector(#"2/admin,13["foo"]"#, SocketPacket(.event, "/admin", id: 13, payload: Array(#"["foo"]"#))),
        PacketVector(#"3/admin,13["bar"]"#, SocketPacket(.ack, "/admin", id: 13, payload: Array(#"["bar"]"#))),
        PacketVector(
            #"61-15["bar",{"_placeholder":true,"num":0}]"#,
            SocketPacket(
                .ack, id: 15, payload: Array(#"["bar",{"_placeholder":true,"num":0}]"#), attachments: [[1, 2, 3, 4]])),
        PacketVector("1", SocketPacket(.disconnect)),
        PacketVector("1/admin,", SocketPacket(.disconnect, "/admin")),
        PacketVector(
            #"2/ws-channel-238,["channel",{"content":"안녕"}]"#,
            SocketPacket(.event, "/ws-channel-238", payload: Array(#"["channel",{"content":"안녕"}]"#))),
    ]
}

/// Bodies of polls, as the protocol's page and slp.md have them.
struct BodyVector: Sendable, CustomStringConvertible {
    var body: String
    var packets: [Decoded<EnginePacket>]

    var description: String { body }

    static let all = [
        BodyVector(body: "", packets: []),
        BodyVector(body: "6", packets: [.packet(.noop)]),
        BodyVector(body: "2", packets: [.packet(.ping([]))]),
        BodyVector(body: "2probe", packets: [.packet(.ping(EnginePacket.probe))]),
        BodyVector(body: "1", packets: [.packet(.close)]),
        BodyVector(
            body: "4hello\u{1E}2\u{1E}4world",
            packets: [.packet(.message(Array("hello"))), .packet(.ping([])), .packet(.message(Array("world")))]),
        BodyVector(
            body: "4hello\u{1E}4€", packets: [.packet(.message(Array("hello"))), .packet(.message(Array("€")))]),
        BodyVector(
            body: "4hello\u{1E}bAQIDBA==",
            packets: [.packet(.message(Array("hello"))), .packet(.binary([1, 2, 3, 4]))]),
        BodyVector(
            body: "40/ws-channel-238,{\"sid\":\"x\"}\u{1E}42/ws-channel-238,[\"channel\",{}]",
            packets: [
                .packet(.message(Array(#"0/ws-channel-238,{"sid":"x"}"#))),
                .packet(.message(Array(#"2/ws-channel-238,["channel",{}]"#))),
            ]),
    ]
}
