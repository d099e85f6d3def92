import Bytes
import ChatModel

/// The events that can be read in any language, because a mark or an address shows what they are.
enum IRCAnyLanguage {
    /// Reads a join or a leave in any language, after a mark that says which it is: a name, its address in
    /// parentheses, words, and a reason in parentheses.
    static func movement(_ text: ArraySlice<UInt8>, isJoin: Bool) -> IRCLine? {
        guard let (first, rest) = text.trimmed.parted(by: " "), let name = IRCLine.nick(first) else { return nil }
        var words = rest
        // `alice [account] (Alice A.) (~alice@host) has joined #example`
        while let first = words.first, "[(".utf8.contains(first) {
            let close = first == UInt8(ascii: "(") ? ")" : "]"
            guard let (group, next) = words.dropFirst().parted(by: close + " ") else { return nil }
            words = next
            guard group.contains(Byte.at), !group.contains(Byte.space) else { continue }
            if isJoin { return IRCLine(.join, name) }
            guard words.last == UInt8(ascii: ")"), let reason = words.range(of: " (") else {
                return IRCLine(.leave, name)
            }
            return IRCLine(.leave, name, LogText(words[reason.upperBound...].dropLast().unwrapped("\"", "\"")))
        }
        return nil
    }

    /// Reads a mode in any language: `Mode #example [+o alice] by bob`.
    static func mode(_ text: ArraySlice<UInt8>) -> IRCLine? {
        guard let (_, rest) = text.parted(by: " "), let (room, mode) = rest.parted(by: " ["), room.isChannelName,
            let end = mode.lastRange(of: "] "), let sign = mode.first, "+-".utf8.contains(sign)
        else { return nil }
        let words = mode[end.upperBound...].split(separator: Byte.space)
        guard words.count == 2, let name = IRCLine.nick(words[1]) else { return nil }
        return IRCLine(.mode, name, LogText(mode[..<end.lowerBound].trimmed))
    }
}
