import Bytes
import ChatModel

/// A line of the IRC protocol, as bouncers keep it: `@time=… :alice!~alice@host PRIVMSG #example :hi`.
struct IRCRawLine {
    /// The nick or server that sent it; empty if the line has none.
    private(set) var sender: ArraySlice<UInt8> = []
    /// The command, in upper case.
    private(set) var command = ""
    private(set) var parameters: [ArraySlice<UInt8>] = []

    /// The limit of RFC 2812 §2.3.
    private static let maximumParameters = 15

    /// Nil for a line without a command.
    init?(_ line: ArraySlice<UInt8>) {
        var rest = line.drop { $0 == Byte.space }
        if rest.first == Byte.at { _ = Self.word(&rest) }
        if rest.first == Byte.colon {
            sender = Self.word(&rest).dropFirst().prefix { $0 != Byte.bang && $0 != Byte.at }
        }
        command = String(decoding: Self.word(&rest), as: UTF8.self).uppercased()
        guard !command.isEmpty else { return nil }
        while let first = rest.first {
            guard first != Byte.colon, parameters.count < Self.maximumParameters - 1 else {
                parameters.append(first == Byte.colon ? rest.dropFirst() : rest)
                break
            }
            parameters.append(Self.word(&rest))
        }
    }

    private static func word(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let word = rest.prefix { $0 != Byte.space }
        rest = rest[word.endIndex...].drop { $0 == Byte.space }
        return word
    }

    static func isChannel(_ name: String) -> Bool { name.first.map { "#&+!".contains($0) } ?? false }

    /// Returns the content of the line, as a listener stores it.
    var record: IRCRecord {
        let nick = String(decoding: sender, as: UTF8.self)
        func text(_ index: Int) -> String? {
            parameters.indices.contains(index) ? String(decoding: parameters[index], as: UTF8.self) : nil
        }
        switch command {
        case "PRIVMSG", "NOTICE": return said(nick, isNotice: command == "NOTICE")
        case "JOIN": return IRCRecord(.join, nick, nil)
        case "PART": return IRCRecord(.leave, nick, text(1))
        case "QUIT": return IRCRecord(.leave, nick, text(0))
        case "KICK": return .kick(text(1) ?? "?", by: nick, text(2))
        case "NICK": return IRCRecord(.rename, nick, text(0))
        case "MODE":
            return IRCRecord(
                .mode, nick, parameters.dropFirst().map { String(decoding: $0, as: UTF8.self) }.joined(separator: " "))
        case "TOPIC": return IRCRecord(.topic, nick, text(1))
        case "INVITE": return IRCRecord(.invite, nick, text(0))
        default:
            let words = parameters.map { String(decoding: $0, as: UTF8.self) }
            return .system(([command] + words).joined(separator: " "))
        }
    }

    /// Reads a text, an action (`ACTION waves` between U+0001), or another request between clients.
    private func said(_ nick: String, isNotice: Bool) -> IRCRecord {
        let text = parameters.count > 1 ? parameters[1] : []
        let kind: MessageKind = isNotice ? .notice : .message
        guard text.first == 1, text.count > 1 else {
            return IRCRecord(kind, nick, String(decoding: text, as: UTF8.self))
        }
        let request = text.dropFirst().prefix { $0 != 1 }
        if !isNotice, let words = request.after("ACTION") {
            return IRCRecord(.action, nick, String(decoding: words.dropFirst(), as: UTF8.self))
        }
        return IRCRecord(kind, nick, "CTCP " + String(decoding: request, as: UTF8.self))
    }
}
