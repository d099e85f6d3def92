import ChatModel
import IRCWire

/// Turns the network's names, which are bytes, into those of the store.
struct IRCNames: Sendable {
    var fallback: FallbackEncoding
    var mapping = CaseMapping.rfc1459
    /// The room of what the server itself says.
    let server: RoomReference
    /// How rooms and people are written, by key: of a channel as we joined it, of a partner as they wrote last. A line has
    /// the name as its sender typed it.
    private var written: [String: String] = [:]

    /// Bytes of names remembered, of some thousand rooms and partners; past it a name may change its capitals.
    private static let maximumBytes = 1024 * 1024
    private static let entryBytes = 100
    private var bytes = 0

    init(host: String, fallback: FallbackEncoding) {
        self.fallback = fallback
        server = RoomReference(key: "", name: host, kind: .server)
    }

    /// One for all spellings that the server takes for one, and for those alone.
    ///
    /// Bytes that are no UTF-8 are written in hexadecimal after a space, which no name has.
    func key(_ name: [UInt8]) -> String {
        let folded = mapping.fold(name)
        if let text = String(validating: folded, as: UTF8.self) { return text }
        return " " + folded.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    func text(_ bytes: [UInt8]) -> String {
        DecodedText(bytes, fallback: fallback).text
    }

    /// The same with its text as it is stored, which it is compared with.
    func decoded(_ message: IRCMessage) -> IRCMessage {
        guard !message.params.allSatisfy({ DecodedText($0).isUTF8 }) else { return message }
        var copy = message
        copy.params = message.params.map { Array(text($0).utf8) }
        return copy
    }

    func channel(_ name: [UInt8]) -> RoomReference {
        let key = key(name)
        return RoomReference(key: key, name: written[key] ?? text(name), kind: .channel)
    }

    func direct(_ nick: [UInt8]) -> RoomReference {
        let key = key(nick)
        return RoomReference(key: key, name: written[key] ?? text(nick), kind: .direct)
    }

    func user(_ nick: [UInt8], isSelf: Bool) -> UserReference {
        UserReference(key: key(nick), name: text(nick), isSelf: isSelf)
    }

    /// The archive writes it like this.
    mutating func note(_ room: RoomReference) {
        remember(room.name, of: room.key)
    }

    /// From here on it is written like this.
    mutating func note(_ name: [UInt8]) {
        remember(text(name), of: key(name))
    }

    private mutating func remember(_ name: String, of key: String) {
        let before = written[key].map { $0.utf8.count } ?? -(Self.entryBytes + key.utf8.count)
        guard bytes + name.utf8.count - before <= Self.maximumBytes else { return }
        bytes += name.utf8.count - before
        written[key] = name
    }
}
