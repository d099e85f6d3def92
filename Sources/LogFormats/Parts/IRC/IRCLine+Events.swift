import ChatModel

/// The phrases of irssi, WeeChat, ZNC, energymech and Limnoria for events in a room.
extension IRCLine {
    /// Returns the event of a line such as `alice [~alice@host] has joined #example` or `Joins: alice (~alice@host)`;
    /// nil for another text.
    static func event(_ line: ArraySlice<UInt8>) -> IRCLine? {
        joinOrLeave(line) ?? titled(line) ?? renamed(line) ?? kicked(line) ?? mode(line) ?? topic(line) ?? invited(line)
    }

    /// Reads `alice [~alice@host] has joined #example`, `… has left #example [why]`, `… has quit [why]`, or with `(…)`;
    /// and `alice <alice!~alice@host> has quit IRC (why)`.
    private static func joinOrLeave(_ line: ArraySlice<UInt8>) -> IRCLine? {
        // A reason may have the words of another event, so the first words count.
        guard let (who, event) = firstEvent(of: line), let name = masked(who) else { return nil }
        if event.starts(with: "joined ") { return IRCLine(.join, name) }
        let rest = event.after("quit").map { $0.after(" IRC") ?? $0 } ?? event.dropFirst(5).drop { $0 != space }
        let why = rest.trimmed
        return IRCLine(.leave, name, "[(".utf8.contains(why.first ?? 0) ? LogText(reason(why)) : nil)
    }

    /// Returns the text before the first ` has ` that an event follows, and the event from its verb on.
    private static func firstEvent(
        of line: ArraySlice<UInt8>
    ) -> (who: ArraySlice<UInt8>, event: ArraySlice<UInt8>)? {
        var rest = line
        while let found = rest.range(of: " has ") {
            let event = line[found.upperBound...]
            if ["joined ", "left ", "quit"].contains(where: { event.starts(with: $0) }),
                "])>".utf8.contains(line[..<found.lowerBound].trimmed.last ?? 0)
            {
                return (line[..<found.lowerBound], event)
            }
            rest = event
        }
        return nil
    }

    /// Returns the nick of `alice [~alice@host]`, `alice (~alice@host)`, `alice [account] (Alice A.) (~alice@host)` and
    /// `alice <alice!~alice@host>`.
    private static func masked(_ who: ArraySlice<UInt8>) -> LogText? {
        let who = who.trimmed
        guard let last = who.last, "])>".utf8.contains(last) else { return nil }
        if last == UInt8(ascii: ">") { return who.parted(by: " <").flatMap { nick($0.left) } }
        if let host = who.lastRange(of: last == UInt8(ascii: "]") ? " [" : " ("),
            let name = nick(who[..<host.lowerBound])
        {
            return name
        }
        guard let end = who.firstIndex(of: space), "[(".utf8.contains(who[end...].dropFirst().first ?? 0) else {
            return nil
        }
        return nick(who[..<end])
    }

    /// Returns a reason without the brackets around it and the quotes within those.
    private static func reason(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let text = text.trimmed
        let bare = text.starts(with: "[") ? text.unwrapped("[", "]") : text.unwrapped("(", ")")
        return bare.trimmed.unwrapped("\"", "\"")
    }

    /// Reads `Joins: alice (~alice@host)`, `Parts: alice (~alice@host) (why)`, `Quits: …`.
    private static func titled(_ line: ArraySlice<UInt8>) -> IRCLine? {
        for (title, kind) in [("Joins: ", MessageKind.join), ("Parts: ", .leave), ("Quits: ", .leave)] {
            guard line.starts(with: title) else { continue }
            let rest = line.dropFirst(title.utf8.count)
            guard let name = nick(rest.prefix { $0 != space }) else { return nil }
            let why = rest.range(of: ") (").map { reason(rest[($0.upperBound - 1)...]) }
            return IRCLine(kind, name, kind == .join ? nil : why.map { LogText($0) })
        }
        return nil
    }

    /// Reads `alice is now known as bob`. irssi's `You're now known as bob` lacks the old name, so it does not count as
    /// an event.
    private static func renamed(_ line: ArraySlice<UInt8>) -> IRCLine? {
        guard let (left, right) = line.parted(by: " is now known as "), let old = nick(left), let new = nick(right)
        else { return nil }
        return IRCLine(.rename, old, new)
    }

    /// Reads `alice was kicked off #example by bob (why)`, `… from #example by bob [why]`, `alice was kicked by bob
    /// (why)` and `bob has kicked alice (why)`. The sender is bob, the body `alice: why`.
    private static func kicked(_ line: ArraySlice<UInt8>) -> IRCLine? {
        if let (left, right) = line.parted(by: " has kicked ") {
            guard let by = nick(left), let victim = nick(right.prefix { $0 != space }) else { return nil }
            return kick(victim, by, reason(right.drop { $0 != space }))
        }
        guard let (left, right) = line.parted(by: " was kicked "), let victim = nick(left) else { return nil }
        guard let by = right.starts(with: "by ") ? right.dropFirst(3) : right.parted(by: " by ")?.right else {
            return nil
        }
        guard let name = nick(by.prefix { $0 != space }) else { return nil }
        return kick(victim, name, reason(by.drop { $0 != space }))
    }

    static func kick(_ victim: LogText, _ by: LogText, _ why: ArraySlice<UInt8>) -> IRCLine {
        let why = why.trimmed
        let text = Array(victim.string.utf8) + (why.isEmpty ? [] : ": ".utf8 + why)
        return IRCLine(.kick, by, LogText(text[...]))
    }

    /// Reads `mode/#example [+o alice] by bob`, `ServerMode/#example [+o alice] by irc.example.net`, `Mode #example [+o
    /// alice] by bob`, `bob sets mode: +o alice`.
    private static func mode(_ line: ArraySlice<UInt8>) -> IRCLine? {
        if ["mode/", "ServerMode/", "Mode "].contains(where: { line.starts(with: $0) }),
            let (_, rest) = line.parted(by: " ["), let (mode, by) = rest.parted(by: "] "),
            let (_, name) = by.parted(by: "by ")
        {
            return nick(name).map { IRCLine(.mode, $0, LogText(mode.trimmed)) }
        }
        guard let (name, mode) = line.parted(by: " sets mode: "), let name = nick(name) else { return nil }
        return IRCLine(.mode, name, LogText(mode.trimmed))
    }

    /// Reads `..[topic/#example:bob] : words`, `bob changes topic to 'words'` or `"words"`, `bob changed the topic of #example to:
    /// words`, `bob has changed topic for #example from "old" to "words"`; and, without words, `Topic unset by bob on
    /// #example` and `bob has unset topic for #example (old topic: "old")`.
    private static func topic(_ line: ArraySlice<UInt8>) -> IRCLine? {
        if line.starts(with: "..[topic/"), let (place, words) = line.parted(by: "] :"),
            let colon = place.lastIndex(of: UInt8(ascii: ":"))
        {
            return nick(place[(colon + 1)...]).map { IRCLine(.topic, $0, LogText(words.trimmed)) }
        }
        if let (name, words) = line.parted(by: " changes topic to "), let name = nick(name) {
            let words = words.trimmed
            let quote = words.first == UInt8(ascii: "\"") ? "\"" : "'"
            return IRCLine(.topic, name, LogText(words.unwrapped(quote, quote)))
        }
        if let (name, rest) = line.parted(by: " changed the topic of "), let name = nick(name),
            let (_, words) = rest.parted(by: " to: ")
        {
            return IRCLine(.topic, name, LogText(words))
        }
        if let (name, rest) = line.parted(by: " has changed topic for "), let name = nick(name),
            let words = rest.lastRange(of: " to \"")
        {
            return IRCLine(.topic, name, LogText(rest[words.upperBound...].unwrapped("", "\"")))
        }
        if line.starts(with: "Topic unset by "), let name = nick(line.dropFirst(15).prefix { $0 != space }) {
            return IRCLine(.topic, name)
        }
        guard let (name, _) = line.parted(by: " has unset topic for "), let name = nick(name) else { return nil }
        return IRCLine(.topic, name)
    }

    /// Reads `alice has invited bob to #example`.
    private static func invited(_ line: ArraySlice<UInt8>) -> IRCLine? {
        guard let (left, right) = line.parted(by: " has invited "), let name = nick(left),
            let (guest, _) = right.parted(by: " to "), let guest = nick(guest)
        else { return nil }
        return IRCLine(.invite, name, guest)
    }
}
