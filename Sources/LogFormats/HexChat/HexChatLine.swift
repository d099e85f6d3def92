import Bytes
import ChatModel

/// The lines of HexChat and XChat, after their times: a mark, a tab (before XChat 2 spaces), the text.
enum HexChatLine {
    private static let tab = UInt8(ascii: "\t")

    /// Returns true for `[alice has address ~alice@host]`, which HexChat 2.16.1 writes without a time at the beginning
    /// of each conversation.
    static func isAddress(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == Byte.listStart && line.last == Byte.listEnd && line.contains(Byte.at)
    }

    /// - Returns: Nil for a line without text.
    static func content(_ line: ArraySlice<UInt8>, in words: inout HexChatWords) -> IRCLine? {
        guard !line.isBlank else { return nil }
        let (mark, text) = parts(line)
        switch mark.first {
        case UInt8(ascii: "<") where mark.last == UInt8(ascii: ">") && mark.count > 2:
            let name = mark.dropFirst().dropLast()
            guard let nick = IRCLine.nick(name) else { return .system(line) }
            words.note(nick.string)
            return IRCLine(.message, nick, LogText(text))
        case Byte.star where mark.count == 1:
            return event(text, isSure: false) ?? words.event(text) ?? action(text, in: words)
        case Byte.dash where !isArrow(mark) && mark.last == Byte.dash && mark.count > 2:
            // A notice to a channel has the mark `-alice/#example-`.
            let name = mark.dropFirst().dropLast().prefix { $0 != Byte.slash }
            return IRCLine.nick(name).map { IRCLine(.notice, $0, LogText(text)) } ?? .system(line)
        case _ where isArrow(mark) && !text.isBlank:
            return event(text, isSure: true) ?? .system(text)
        default:
            return .system(line)
        }
    }

    static func parts(_ line: ArraySlice<UInt8>) -> (mark: ArraySlice<UInt8>, text: ArraySlice<UInt8>) {
        if let end = line.firstIndex(of: tab) { return (line[..<end].trimmed, line[(end + 1)...]) }
        let line = line.drop { $0 == Byte.space }
        let end = line.firstIndex(of: Byte.space) ?? line.endIndex
        return (line[..<end], line[end...].drop { $0 == Byte.space })
    }

    /// Returns true for `-->`, `<--` and `---`, XChat's marks of events.
    private static func isArrow(_ mark: ArraySlice<UInt8>) -> Bool {
        ["-->", "<--", "---"].contains { mark.elementsEqual($0.utf8) }
    }

    /// Returns true for a line, without its time, in a form that only these programs write: a mark and a tab.
    static func isCharacteristic(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.contains(tab) else { return false }
        let mark = parts(line).mark
        let isNamed = [("<", ">"), ("-", "-")].contains { open, close in
            mark.count > 2 && mark.starts(with: open) && mark.last == close.utf8.first
        }
        return isNamed || isArrow(mark) || mark.elementsEqual([Byte.star])
    }

    /// Returns the channel of `Now talking on #example`, XChat's `You are now talking on #example`, or the Korean sentence.
    static func joinedChannel(_ line: ArraySlice<UInt8>) -> String? {
        guard let (_, room) = line.parted(by: "ow talking on ") else { return HexChatKorean.joinedChannel(line) }
        let name = LogText(room.prefix { $0 != Byte.space }).string
        return RoomName.isChannel(name) && name.count > 1 ? name : nil
    }

    // MARK: - Events

    /// The beginnings of the program's own messages.
    private static let notices = [
        "Now talking on ", "Topic for ", "Channel #", "You have ", "You've ", "You are ", "Users on ", "Disconnected",
        "Connected", "Connecting to ", "Looking up ", "Cannot join ", "Received a CTCP ",
    ]

    /// Reads `alice waves`; nil without a text after the nick.
    private static func action(_ text: ArraySlice<UInt8>, in words: HexChatWords) -> IRCLine? {
        let text = text.drop { $0 == Byte.space }
        guard !text.isBlank else { return nil }
        guard !notices.contains(where: { text.starts(with: $0) }), let end = text.firstIndex(of: Byte.space),
            let name = IRCLine.nick(text[..<end]), words.mayAct(name.string, text[(end + 1)...])
        else { return .system(text) }
        return IRCLine(.action, name, LogText(text[(end + 1)...]))
    }

    /// - Parameter isSure: True after a mark that only events have.
    static func event(_ text: ArraySlice<UInt8>, isSure: Bool) -> IRCLine? {
        guard let (first, rest) = text.trimmed.parted(by: " "), let name = IRCLine.nick(first) else { return nil }
        if rest.first == UInt8(ascii: "("), let (mask, event) = rest.parted(by: ") "), isSure || mask.contains(Byte.at)
        {
            return movement(event, name)
        }
        return isSure ? movement(rest, name) ?? change(rest, name) : quit(rest, name) ?? change(rest, name)
    }

    /// Reads `has joined`, `has left`, with or without the channel, `has quit`; with a reason as `(why)` or `: why`.
    private static func movement(_ event: ArraySlice<UInt8>, _ name: LogText) -> IRCLine? {
        if let rest = event.after("has joined") {
            return rest.isEmpty || rest.dropFirst().isChannelName ? IRCLine(.join, name) : nil
        }
        guard var rest = event.after("has left") else { return quit(event, name) }
        if rest.dropFirst().first.map({ "#&".utf8.contains($0) }) ?? false {
            rest = rest.dropFirst().drop { $0 != Byte.space && $0 != Byte.colon }
        }
        return reason(rest).map { IRCLine(.leave, name, LogText($0)) }
    }

    private static func quit(_ event: ArraySlice<UInt8>, _ name: LogText) -> IRCLine? {
        event.after("has quit").flatMap(reason).map { IRCLine(.leave, name, LogText($0)) }
    }

    /// Returns the reason in ` (why)` or `: why`; empty for an empty text; nil for another text.
    private static func reason(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        if text.isBlank { return [] }
        if text.starts(with: ": ") { return text.dropFirst(2).trimmed }
        let text = text.trimmed
        return text.starts(with: "(") && text.last == UInt8(ascii: ")") ? text.unwrapped("(", ")") : nil
    }

    /// Reads renames, kicks, topics and modes.
    private static func change(_ event: ArraySlice<UInt8>, _ name: LogText) -> IRCLine? {
        if let new = event.after("is now known as ") {
            return IRCLine.nick(new).map { IRCLine(.rename, name, $0) }
        }
        if let words = event.after("has changed the topic to:") {
            return words.isEmpty || words.first == Byte.space ? IRCLine(.topic, name, LogText(words.dropFirst())) : nil
        }
        if let rest = event.after("has kicked "), let (victim, place) = rest.parted(by: " from "),
            let victim = IRCLine.nick(victim),
            let why = reason(place.drop { $0 != Byte.space && $0 != Byte.colon })
        {
            let text = Array(victim.string.utf8) + (why.isEmpty ? [] : ": ".utf8 + why)
            return IRCLine(.kick, name, LogText(text[...]))
        }
        return mode(event).map { IRCLine(.mode, name, LogText($0[...])) }
    }

    /// The letters of modes by HexChat's words for them (`textevents.in`).
    private static let modes = [
        ("gives channel operator status to ", "+o"), ("removes channel operator status from ", "-o"),
        ("gives channel half-operator status to ", "+h"), ("removes channel half-operator status from ", "-h"),
        ("gives voice to ", "+v"), ("removes voice from ", "-v"), ("sets ban on ", "+b"), ("removes ban on ", "-b"),
        ("sets quiet on ", "+q"), ("removes quiet on ", "-q"), ("sets exempt on ", "+e"), ("removes exempt on ", "-e"),
        ("sets invite exempt on ", "+I"), ("removes invite exempt on ", "-I"), ("sets channel keyword to ", "+k"),
        ("removes channel keyword", "-k"), ("sets channel limit to ", "+l"), ("removes user limit", "-l"),
    ]

    /// Returns `+o bob` for `gives channel operator status to bob`, and `+nt` for `sets mode +nt on #example` and `sets
    /// modes [+nt]`.
    private static func mode(_ event: ArraySlice<UInt8>) -> [UInt8]? {
        for (words, letter) in modes {
            guard let rest = event.after(words) else { continue }
            let targets = rest.split(separator: Byte.space)
            guard targets.isEmpty == !words.hasSuffix(" ") else { return nil }
            let letters = Array(letter.utf8.prefix(1)) + targets.flatMap { _ in letter.utf8.dropFirst() }
            return targets.isEmpty ? Array(letter.utf8) : letters + targets.flatMap { [Byte.space] + $0 }
        }
        if let rest = event.after("sets modes [") { return Array(rest.unwrapped("", "]")) }
        guard let rest = event.after("sets mode: ") ?? event.after("sets mode "),
            "+-".utf8.contains(rest.first ?? 0)
        else { return nil }
        return Array((rest.parted(by: " on ")?.left ?? rest).trimmed)
    }
}
