import Bytes
import ChatModel

/// The phrases of the text logs of The Lounge, HydraIRC and Textual.
extension IRCDialects {
    /// Reads an event of The Lounge 4 or HydraIRC 0.3 after its mark `*** `: `alice (~alice@host) joined`, `alice
    /// (~alice@host) left (why)`, `alice (~alice@host) quit (why)`, `alice changed nick to bob`, `alice set mode +o
    /// bob`, `alice sets channel #example mode +o bob`, `alice changed topic to 'words'`. The address may be missing.
    static func lounge(_ text: ArraySlice<UInt8>) -> IRCLine? {
        guard let (first, rest) = text.trimmed.parted(by: " "), let name = IRCLine.nick(first) else { return nil }
        if let event = rest.first == UInt8(ascii: "(") ? rest.parted(by: ") ")?.right : rest,
            let content = loungeMovement(event, name)
        {
            return content
        }
        if let new = rest.after("changed nick to ") { return IRCLine.nick(new).map { IRCLine(.rename, name, $0) } }
        if let mode = rest.after("set mode ") { return IRCLine(.mode, name, LogText(mode.trimmed)) }
        if let (_, mode) = rest.after("sets channel ")?.parted(by: " mode ") {
            return IRCLine(.mode, name, LogText(mode.trimmed))
        }
        guard let words = rest.after("changed topic to ") else { return nil }
        let isQuoted = words.count > 1 && words.first == UInt8(ascii: "'") && words.last == UInt8(ascii: "'")
        return IRCLine(.topic, name, LogText(isQuoted ? words.unwrapped("'", "'") : words))
    }

    private static func loungeMovement(_ event: ArraySlice<UInt8>, _ name: LogText) -> IRCLine? {
        if event.elementsEqual("joined".utf8) { return IRCLine(.join, name) }
        guard let why = event.after("left") ?? event.after("quit") else { return nil }
        if why.isEmpty { return IRCLine(.leave, name) }
        guard why.starts(with: " ("), why.last == UInt8(ascii: ")") else { return nil }
        return IRCLine(.leave, name, LogText(why.dropFirst().unwrapped("(", ")")))
    }

    /// Reads a line of Textual 7 after its time, which has a zone: `• alice: waves`, `alice (~alice@host) joined the
    /// channel`, `alice (~alice@host) left the channel (why)`, `alice (~alice@host) left IRC (why)`, `alice sets mode
    /// +o bob`, `alice kicked bob from the channel (why)`.
    static func textual(_ text: ArraySlice<UInt8>) -> IRCLine? {
        if let (name, words) = text.after("• ")?.parted(by: ": ") {
            return IRCLine.nick(name).map { IRCLine(.action, $0, LogText(words)) }
        }
        guard let (first, rest) = text.parted(by: " "), let name = IRCLine.nick(first) else { return nil }
        if rest.first == UInt8(ascii: "("), let (_, event) = rest.parted(by: ") ") {
            if event.starts(with: "joined the channel") { return IRCLine(.join, name) }
            guard let why = event.after("left the channel") ?? event.after("left IRC") else { return nil }
            return IRCLine(.leave, name, LogText(why.trimmed.unwrapped("(", ")")))
        }
        if let mode = rest.after("sets mode "), "+-".utf8.contains(mode.first ?? 0) {
            return IRCLine(.mode, name, LogText(mode.trimmed))
        }
        guard let (victim, why) = rest.after("kicked ")?.parted(by: " from the channel"),
            let victim = IRCLine.nick(victim)
        else { return nil }
        return IRCLine.kick(victim, name, why.trimmed.unwrapped("(", ")"))
    }
}
