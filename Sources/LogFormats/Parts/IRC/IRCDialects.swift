import Bytes
import ChatModel

/// The phrases of programs whose logs resemble those of ZNC, energymech and irssi.
enum IRCDialects {
    /// Reads an event of Circe 2.11 or sopel-chanlogs 0.3.1 after its mark `*** `; nil for another text.
    ///
    /// - Parameter isBare: True in a log of a program without marks, or with zones in its times, such as
    ///   sopel-chanlogs: it writes `None` for every new name.
    static func starred(_ text: ArraySlice<UInt8>, isBare: Bool) -> IRCLine? {
        if isBare, let (name, new) = text.parted(by: " is now known as "), IRCLine.nick(name) != nil,
            new.elementsEqual("None".utf8)
        {
            return .system(text)
        }
        return circe(text) ?? unmasked(text) ?? lounge(text)
    }

    /// Reads an event that has no mark, of catgirl 2.1, Textual 7 or irc3 1.1.12; nil for another text.
    static func bare(_ text: ArraySlice<UInt8>) -> IRCLine? { catgirl(text) ?? textual(text) ?? unmasked(text) }

    /// Returns the room that a text after a mark names as the log's own: of a join, a mode or a topic.
    static func room(_ text: ArraySlice<UInt8>) -> String? {
        let name: ArraySlice<UInt8>?
        if let rest = text.after("mode/") ?? text.after("..[topic/") {
            name = rest.prefix { $0 != Byte.space && $0 != Byte.colon }
        } else {
            let joined = text.lastRange(of: " has joined ") ?? text.lastRange(of: " arrives in ")
            let event = IRCLine.event(text) ?? unmasked(text) ?? catgirl(text)
            guard let joined, event?.kind == .join else { return nil }
            name = text[joined.upperBound...].prefix { $0 != Byte.space }
        }
        return name.flatMap { $0.isEmpty ? nil : LogText($0).string }
    }

    // MARK: - Circe

    /// Reads `Join: alice (~alice@host)`, `Part: alice (~alice@host) left #example: why`, `Quit: …`, `Kick: alice
    /// kicked by bob (~bob@host): why`, `Nick change: alice (~alice@host) is now known as bob`, `Topic change by alice
    /// (~alice@host): words`, `Mode change: +o bob on #example by alice (~alice@host)`.
    private static func circe(_ text: ArraySlice<UInt8>) -> IRCLine? {
        if let rest = text.after("Join: ") {
            return withMask(rest).flatMap { $0.rest.isBlank ? IRCLine(.join, $0.nick) : nil }
        }
        if let rest = text.after("Part: ") ?? text.after("Quit: ") {
            guard let (name, rest) = withMask(rest), rest.starts(with: " left ") else { return nil }
            return IRCLine(.leave, name, rest.parted(by: ": ").map { LogText($0.right.trimmed) })
        }
        if let rest = text.after("Kick: ") {
            guard let (left, right) = rest.parted(by: " kicked by "), let victim = IRCLine.nick(left),
                let (by, why) = withMask(right)
            else { return nil }
            return IRCLine.kick(victim, by, why.after(": ") ?? [])
        }
        if let rest = text.after("Nick change: ") {
            guard let (old, rest) = withMask(rest), let new = rest.after(" is now known as ").flatMap(IRCLine.nick)
            else { return nil }
            return IRCLine(.rename, old, new)
        }
        if let rest = text.after("Topic change by ") {
            guard let (name, rest) = withMask(rest), let words = rest.after(":") else { return nil }
            return IRCLine(.topic, name, LogText(words.trimmed))
        }
        guard let rest = text.after("Mode change: "), let place = rest.range(of: " on "),
            let (_, by) = rest[place.upperBound...].parted(by: " by "), let (name, _) = withMask(by)
        else { return nil }
        return IRCLine(.mode, name, LogText(rest[..<place.lowerBound].trimmed))
    }

    /// Returns the new name of the log's own person in Circe's `*** Nick change: You are now known as alice`.
    static func ownNick(_ line: ArraySlice<UInt8>) -> LogText? {
        line.after("*** Nick change: You are now known as ").flatMap(IRCLine.nick)
    }

    /// Reads `alice (~alice@host)` at the beginning.
    private static func withMask(_ text: ArraySlice<UInt8>) -> (nick: LogText, rest: ArraySlice<UInt8>)? {
        guard let (name, rest) = text.parted(by: " ("), let name = IRCLine.nick(name),
            let end = rest.firstIndex(of: UInt8(ascii: ")")), rest[..<end].contains(Byte.at)
        else { return nil }
        return (name, rest[(end + 1)...])
    }

    // MARK: - sopel-chanlogs and irc3

    /// Reads `alice has joined #example`, `alice has left #example (why)`, `alice has left why`, `alice has quit IRC`,
    /// `alice has quit (why)`, `alice changed the topic to words` and `alice has set topic to: words`.
    private static func unmasked(_ text: ArraySlice<UInt8>) -> IRCLine? {
        guard let (first, rest) = text.parted(by: " "), let name = IRCLine.nick(first) else { return nil }
        if let room = rest.after("has joined ") { return room.trimmed.isChannelName ? IRCLine(.join, name) : nil }
        if let rest = rest.after("has left") {
            let words = rest.trimmed
            let why = words.first.map(isMark) ?? false ? words.drop { $0 != Byte.space }.trimmed : words
            return IRCLine(.leave, name, LogText(why.first == UInt8(ascii: "(") ? why.unwrapped("(", ")") : why))
        }
        if let rest = rest.after("has quit") {
            let why = (rest.after(" IRC") ?? rest).trimmed
            guard why.isEmpty || why.first == UInt8(ascii: "(") else { return nil }
            return IRCLine(.leave, name, LogText(why.unwrapped("(", ")")))
        }
        guard let words = rest.after("changed the topic to") ?? rest.after("has set topic to:") else { return nil }
        return IRCLine(.topic, name, LogText(words.trimmed))
    }

    // MARK: - catgirl

    /// Reads `alice arrives in #example`, `alice leaves #example: why`, `alice leaves: why`, `alice kicks bob out of
    /// #example: why`, `alice is now known as bob`, `alice places a new sign in #example: words`, `alice removes the
    /// sign in #example`, and modes.
    private static func catgirl(_ text: ArraySlice<UInt8>) -> IRCLine? {
        guard let (first, rest) = text.parted(by: " "), let name = IRCLine.nick(first) else { return nil }
        if let room = rest.after("arrives in ") {
            return room.prefix { $0 != Byte.comma }.trimmed.isChannelName ? IRCLine(.join, name) : nil
        }
        if let rest = rest.after("leaves") {
            guard rest.isEmpty || rest.first == Byte.colon || rest.dropFirst().first.map(isMark) ?? false else {
                return nil
            }
            let why = rest.first == Byte.colon ? rest.dropFirst() : rest.parted(by: ": ")?.right ?? []
            return IRCLine(.leave, name, LogText(why.trimmed))
        }
        if let rest = rest.after("kicks "), let (victim, place) = rest.parted(by: " out of "),
            let victim = IRCLine.nick(victim)
        {
            return IRCLine.kick(victim, name, place.parted(by: ": ")?.right ?? [])
        }
        if let new = rest.after("is now known as ") { return IRCLine.nick(new).map { IRCLine(.rename, name, $0) } }
        if let rest = rest.after("places a new sign in ") {
            return IRCLine(.topic, name, rest.parted(by: ": ").map { LogText($0.right.trimmed) })
        }
        if rest.starts(with: "removes the sign in ") { return IRCLine(.topic, name) }
        return catgirlMode(rest).map { IRCLine(.mode, name, LogText($0[...])) }
    }

    /// Returns `+o bob` for `sets @bob +o operator in #example`, `+l 80` for `sets #example +l client limit 80` and
    /// `+b mask` for `bans +b mask from #example`.
    private static func catgirlMode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let words = text.split(separator: Byte.space)
        guard words.count > 2, let verb = words.first else { return nil }
        let isSetting = ["sets", "unsets"].contains { verb.elementsEqual($0.utf8) }
        let (target, mode) = isSetting ? (words[1], words[2]) : (words[2], words[1])
        guard mode.count == 2, "+-".utf8.contains(mode[mode.startIndex]) else { return nil }
        if !isSetting {
            guard words.count == 5, words[3].elementsEqual("from".utf8) else { return nil }
            return mode + [Byte.space] + target
        }
        guard target.first.map(isMark) ?? false else {
            guard text.range(of: " in ") != nil, let name = IRCLine.nick(target) else { return nil }
            return mode + [Byte.space] + name.string.utf8
        }
        let hasValue = mode.elementsEqual("+k".utf8) || mode.elementsEqual("+l".utf8)
        return hasValue ? mode + [Byte.space] + (words.last ?? []) : Array(mode)
    }

    private static func isMark(_ byte: UInt8) -> Bool { "#&".utf8.contains(byte) }
}
