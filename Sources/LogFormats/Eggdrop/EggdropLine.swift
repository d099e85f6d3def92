import Bytes
import ChatModel

/// A line of eggdrop: its time, and the text after it.
struct EggdropLine {
    let stamp: LineStamp
    private let text: ArraySlice<UInt8>

    init?(_ line: ArraySlice<UInt8>) {
        var rest = line
        guard let stamp = LineStamp(taking: &rest, brackets: .required), stamp.date == nil else { return nil }
        (self.stamp, text) = (stamp, rest)
    }

    /// The date of `--- Sun Nov 22 2026`; nil for another line.
    var date: CalendarDate? {
        guard let rest = text.after("--- "), rest.count == "Sun Nov 22 2026".utf8.count,
            let date = LocaleDate.candidates(rest).first
        else { return nil }
        return date
    }

    /// True for a line that only eggdrop writes.
    var isCharacteristic: Bool {
        guard let first = text.first, !"<*".utf8.contains(first) else { return false }
        return date != nil || event != nil || text.starts(with: "Action: ")
            || text.starts(with: "Last message repeated ") && text.suffix(8).elementsEqual("time(s).".utf8)
    }

    var content: IRCLine {
        if text.first == UInt8(ascii: "<"), let said = IRCLine(text, isTimed: false) { return said }
        if let action = text.after("Action: ") {
            let name = action.prefix { $0 != Byte.space }
            if let nick = IRCLine.nick(name) {
                return IRCLine(.action, nick, LogText(action[name.endIndex...].dropFirst()))
            }
        }
        if let (name, words) = text.after("-")?.parted(by: "- "), !name.contains(Byte.space),
            let nick = IRCLine.nick(name.prefix { $0 != Byte.colon })
        {
            return IRCLine(.notice, nick, LogText(words))
        }
        return event ?? .system(text)
    }

    /// The message of a person to the bot, and the person: `[alice!~alice@host] hi`, `Action to bot: alice waves`,
    /// `-alice (~alice@host)- hi`.
    var `private`: (IRCLine, person: String)? {
        if let (mask, words) = text.after("[")?.parted(by: "] "), mask.contains(Byte.bang), mask.contains(Byte.at),
            !mask.contains(Byte.space), let nick = IRCLine.nick(mask.prefix { $0 != Byte.bang })
        {
            return (IRCLine(.message, nick, LogText(words)), nick.string)
        }
        if let (_, action) = text.after("Action to ")?.parted(by: ": ") {
            let name = action.prefix { $0 != Byte.space }
            return IRCLine.nick(name).map {
                (IRCLine(.action, $0, LogText(action[name.endIndex...].dropFirst())), $0.string)
            }
        }
        guard let (name, rest) = text.after("-")?.parted(by: " ("), let (mask, words) = rest.parted(by: ")- "),
            mask.contains(Byte.at), let nick = IRCLine.nick(name)
        else { return nil }
        return (IRCLine(.notice, nick, LogText(words)), nick.string)
    }

    /// The channel that an event names; nil if none.
    var room: String? {
        let place =
            text.parted(by: ": mode change '")?.left ?? text.after("Topic changed on ")
            ?? (event == nil
                ? nil : [" joined ", " left ", " kicked from "].lazy.compactMap { text.parted(by: $0)?.right }.first)
        let name = place?.prefix { $0 != Byte.space }.unwrapped("", ".")
        return name.flatMap { $0.isChannelName ? LogText($0).string : nil }
    }

    // MARK: - Events

    /// Reads `alice (~alice@host) joined #example.`, `… left #example (why).`, `… left irc: why`, `bob joined #example.` of
    /// the bot itself, `alice kicked from #example by bob: why`, `Nick change: alice -> bob`, `Topic changed on #example by
    /// alice!~alice@host: words`, `#example: mode change '+o bob' by alice!~alice@host`.
    private var event: IRCLine? {
        if let (old, new) = text.after("Nick change: ")?.parted(by: " -> ") {
            guard let old = IRCLine.nick(old), let new = IRCLine.nick(new) else { return nil }
            return IRCLine(.rename, old, new)
        }
        if let (_, rest) = text.after("Topic changed on ")?.parted(by: " by "), let (by, words) = rest.parted(by: ":") {
            return Self.nick(by).map {
                IRCLine(.topic, $0, LogText(words.first == Byte.space ? words.dropFirst() : words))
            }
        }
        if let (room, rest) = text.parted(by: ": mode change '"), room.isChannelName,
            let by = rest.lastRange(of: "' by ")
        {
            return Self.nick(rest[by.upperBound...]).map { IRCLine(.mode, $0, LogText(rest[..<by.lowerBound].trimmed)) }
        }
        guard let (who, rest) = text.parted(by: " "), let name = IRCLine.nick(who) else { return nil }
        if let (place, by) = rest.after("kicked from ")?.parted(by: " by "), place.isChannelName {
            let (by, why) = by.parted(by: ": ") ?? (by, [])
            return Self.nick(by).map { IRCLine.kick(name, $0, why) }
        }
        return movement(name, rest)
    }

    private func movement(_ name: LogText, _ rest: ArraySlice<UInt8>) -> IRCLine? {
        // The bot's own lines have no address.
        var event = rest
        if rest.first == UInt8(ascii: "(") {
            guard let (mask, words) = rest.parted(by: ") "), mask.contains(Byte.at) else { return nil }
            event = words
        }
        if let room = event.after("joined ") {
            return room.last == Byte.dot && room.dropLast().isChannelName ? IRCLine(.join, name) : nil
        }
        if let why = event.after("left irc: ") ?? (event.elementsEqual("left irc:".utf8) ? [] : nil) {
            return IRCLine(.leave, name, LogText(why))
        }
        guard let place = event.after("left "), "#&".utf8.contains(place.first ?? 0), place.last == Byte.dot else {
            return nil
        }
        return IRCLine(.leave, name, place.dropLast().parted(by: " (").map { LogText($0.right.unwrapped("", ")")) })
    }

    /// Returns the nick of `alice!~alice@host` or `alice`.
    private static func nick(_ mask: ArraySlice<UInt8>) -> LogText? { IRCLine.nick(mask.prefix { $0 != Byte.bang }) }
}
