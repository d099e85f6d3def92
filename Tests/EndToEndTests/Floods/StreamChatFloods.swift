/// Each kind of unit that a StreamChat server sends.
extension Flood {
    private static func streamChat(_ name: String, _ unit: String, count: Int = 20_000) -> Flood {
        Flood(network: .streamchat, name: name, content: { numbered(unit, count) })
    }

    static let streamChatFloods = [
        streamChat("messages", "u{}::hello {}\n"),
        streamChat("messages of one", "al::hello\n"),
        streamChat("joins", "u{} has joined\n"),
        streamChat("joins and leaves", "u{} has joined\nu{} has left\n"),
        streamChat("system lines", "the server says {}\n"),
        streamChat("separators", "::::"),
        streamChat("padding", "\u{0}\n\r"),
        streamChat("messages without ends", "u{}::hello {}"),
        streamChat("long messages", "u{}::" + String(repeating: "long ", count: 20_000) + "\n", count: 10),
        Flood(network: .streamchat, name: "no UTF-8", content: { [UInt8](repeating: 0xE0, count: 1 << 20) }),
    ]
}
