import ChatModel
import IRCWire
import TextEncodings

/// Turns the network's names, which are bytes, into the store's names.
struct IRCNames: Sendable {
    var fallback: TextEncoding
    var mapping = CaseMapping.rfc1459
    /// The room for the server's own messages.
    let server: RoomReference
    /// The spelling of rooms and people, by key: a channel's when we joined it, a partner's in their last message. A
    /// line has the name as its sender typed it.
    private var spellings: [String: String] = [:]

    /// The limit of bytes of names that are kept, enough for some thousand rooms and partners. Above it, the capitals
    /// of a name may change.
    private static let maximumBytes = 1024 * 1024
    private static let entryBytes = 100
    private var bytes = 0

    init(host: String, fallback: TextEncoding) {
        self.fallback = fallback
        server = RoomReference(key: "", name: host, kind: .server)
    }

    /// Returns the key of a name, which is the same only for spellings that the server considers equal.
    ///
    /// Bytes that are not UTF-8 are written in hexadecimal after a space, which no name contains.
    func key(_ name: [UInt8]) -> String {
        let folded = mapping.fold(name)
        if let text = String(validating: folded, as: UTF8.self) { return text }
        return " " + folded.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    func text(_ bytes: [UInt8]) -> String {
        DecodedText(bytes, fallback: fallback).text
    }

    /// Returns false for bytes that the fallback encoding decodes.
    func isUTF8(_ bytes: [UInt8]) -> Bool {
        DecodedText(bytes, fallback: fallback).isUTF8
    }

    /// Returns the message with the text that would be stored, to compare it with stored messages.
    func decoded(_ message: IRCMessage) -> IRCMessage {
        guard !message.params.allSatisfy(isUTF8) else { return message }
        var copy = message
        copy.params = message.params.map { Array(text($0).utf8) }
        return copy
    }

    func channel(_ name: [UInt8]) -> RoomReference {
        let key = key(name)
        return RoomReference(key: key, name: spellings[key] ?? text(name), kind: .channel)
    }

    func direct(_ nick: [UInt8]) -> RoomReference {
        let key = key(nick)
        return RoomReference(key: key, name: spellings[key] ?? text(nick), kind: .direct)
    }

    func user(_ nick: [UInt8], isSelf: Bool) -> UserReference {
        UserReference(key: key(nick), name: text(nick), isSelf: isSelf)
    }

    /// Uses the archive's spelling of a room.
    mutating func keepSpelling(of room: RoomReference) {
        remember(room.name, of: room.key)
    }

    /// Uses this spelling of a name from now on.
    mutating func keepSpelling(_ name: [UInt8]) {
        remember(text(name), of: key(name))
    }

    private mutating func remember(_ name: String, of key: String) {
        let before = spellings[key].map { $0.utf8.count } ?? -(Self.entryBytes + key.utf8.count)
        guard bytes + name.utf8.count - before <= Self.maximumBytes else { return }
        bytes += name.utf8.count - before
        spellings[key] = name
    }
}
