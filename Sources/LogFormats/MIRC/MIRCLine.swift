import Bytes
import ChatModel

/// The lines of mIRC, whose events begin with a single star, like actions.
enum MIRCLine {
    /// Returns the line without the colour that mIRC gives to a whole line (`03[06:23] …` after U+0003), and without
    /// other codes at its beginning.
    static func unpainted(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = line
        while let first = rest.first, first < Byte.space, first != UInt8(ascii: "\t") {
            rest = rest.dropFirst()
            guard first == 0x03 else { continue }
            rest = rest.dropFirst(rest.prefix(2).prefix(while: Byte.isDigit).count)
            let background = rest.dropFirst().prefix(2).prefix(while: Byte.isDigit).count
            if rest.first == Byte.comma, background > 0 { rest = rest.dropFirst(1 + background) }
        }
        // Copies of logs often lack U+0003.
        let digits = rest.prefix(while: Byte.isDigit).count
        return digits == 2 && rest.dropFirst(2).first == Byte.listStart ? rest.dropFirst(2) : rest
    }

    /// Returns true for the separator that status windows show.
    static func isRule(_ line: ArraySlice<UInt8>) -> Bool { line.trimmed.elementsEqual([Byte.dash]) }

    /// - Parameter isTimed: True if the line has a time.
    /// - Returns: Nil for a line that mIRC does not write.
    static func content(_ line: ArraySlice<UInt8>, isTimed: Bool) -> IRCLine? {
        guard line.starts(with: "* ") else { return IRCLine(line, isTimed: isTimed) }
        let text = line.dropFirst(2).trimmed
        guard !text.isEmpty else { return nil }
        if let event = event(text) { return event }
        // An action has a text after the nick.
        return isNotice(text) || !text.contains(Byte.space) ? .system(text) : IRCLine(line, isTimed: isTimed)
    }

    /// The beginnings of mIRC's own messages.
    private static let notices = [
        "Now talking in #", "Now talking on #", "Topic is '", "Set by ", "Attempting to rejoin channel #",
        "Rejoined channel #", "Retrieving #", "You were kicked ", "You have been kicked ",
        "You're not channel operator",
        "Your nick is now ", "Unable to join channel ", "Disconnected",
    ]

    private static func isNotice(_ text: ArraySlice<UInt8>) -> Bool {
        notices.contains { text.starts(with: $0) }
    }

    /// The events after a single star that show that mIRC wrote a file. Other programs write actions that way, so
    /// `/me sets mode: +o bob` in their logs looks like an event.
    enum Events {
        /// For a file named like mIRC's logs.
        case all
        /// For `#example_20261121.log`, as ZNC before 1.6 names files: events whose text is hard to write by chance.
        case masked
        /// For other names, as ZNC and energymech give them (`2026-11-21.log`): only mIRC's own messages.
        case none

        init(in name: String) {
            guard let date = NamedDate(in: name) else {
                self = .all
                return
            }
            let stem = RoomName.stem(of: name)
            // ZNC before 1.6 also wrote `user_network_#example_20261121.log`. mIRC's names begin with the window's.
            let isOfOther = stem.isEmpty || stem.dropFirst().contains("_#")
            self = isOfOther ? .none : name[date.range].hasPrefix("_") ? .masked : .all
        }
    }

    /// Returns true for a line, with its time, in a form that only mIRC writes: a message of its own, or an event after
    /// a single star.
    static func isCharacteristic(_ line: ArraySlice<UInt8>, among events: Events) -> Bool {
        guard line.index(of: Byte.star) != nil else { return false }
        var line = unpainted(line)
        let isBracketed = line.first == Byte.listStart
        let stamp = LineStamp(taking: &line, brackets: .optional)
        line = unpainted(line)
        guard line.starts(with: "* ") else { return false }
        let text = line.dropFirst(2)
        if notices.prefix(6).contains(where: { text.starts(with: $0) }) { return true }
        // Other programs write such times, and actions that look like these events.
        if let stamp, !isBracketed || stamp.date != nil { return false }
        let isTitled = ["Joins: ", "Parts: ", "Quits: "].contains { text.starts(with: $0) }
        switch event(text)?.kind {
        case .join, .leave: return isTitled || events == .all || events == .masked && text.contains(Byte.at)
        case .mode: return events == .all
        default: return false
        }
    }

    /// Returns true for a line that shows that another program wrote the file: an event after three stars (ZNC, Circe),
    /// an arrow (ChatZilla, IRCCloud) or `===` (energymech), which mIRC has never written beside events after a single
    /// star, or a time with a zone (catgirl).
    static func isOfOtherProgram(_ line: ArraySlice<UInt8>) -> Bool {
        var line = unpainted(line)
        guard let stamp = LineStamp(taking: &line, brackets: .optional) else { return line.starts(with: "=== ") }
        if stamp.offset != nil || IRCArrows.event(line) != nil { return true }
        guard let text = line.after("*** ") else { return false }
        return (IRCDialects.starred(text, isBare: false) ?? IRCLine.event(text)) != nil
    }

    /// Returns the channel of `* Now talking in #example` or `* alice (~alice@host) has joined #example`.
    static func joinedChannel(_ line: ArraySlice<UInt8>) -> String? {
        for words in [" Now talking in ", " Now talking on ", " has joined "] {
            guard line.contains(Byte.star), let (_, room) = line.parted(by: words) else { continue }
            let name = LogText(room.prefix { $0 != Byte.space }).string
            if RoomName.isChannel(name), name.count > 1 { return name }
        }
        return nil
    }

    // MARK: - Events

    /// Reads the text after a single star as an event. Actions can have nearly the same text, so each word must be in
    /// its place.
    private static func event(_ text: ArraySlice<UInt8>) -> IRCLine? {
        if ["Joins: ", "Parts: ", "Quits: "].contains(where: { text.starts(with: $0) }) { return IRCLine.event(text) }
        guard let (first, rest) = text.parted(by: " "), let name = IRCLine.nick(first) else { return nil }
        if rest.first == UInt8(ascii: "("), let (mask, event) = rest.parted(by: ") "), mask.contains(Byte.at) {
            return masked(event, name)
        }
        return masked(rest, name) ?? unmasked(text, rest)
    }

    /// Reads `has joined #example`, `has left #example (why)`, `Quit (why)`, `has quit IRC (why)`, `invites you to join
    /// #example`.
    private static func masked(_ event: ArraySlice<UInt8>, _ name: LogText) -> IRCLine? {
        if let room = event.after("has joined ") {
            return room.isChannelName ? IRCLine(.join, name) : nil
        }
        if let rest = event.after("has left ") {
            let room = rest.prefix { $0 != Byte.space }
            let why = rest.dropFirst(room.count).trimmed
            guard room.isChannelName, why.isEmpty || isBracketed(why) else { return nil }
            return IRCLine(.leave, name, LogText(why.unwrapped("(", ")")))
        }
        for words in ["Quit ", "has quit IRC "] {
            guard let why = event.after(words) else { continue }
            return isBracketed(why) ? IRCLine(.leave, name, LogText(why.unwrapped("(", ")"))) : nil
        }
        guard let room = event.after("invites you to join "), room.isChannelName else { return nil }
        return IRCLine(.invite, name, LogText(room))
    }

    /// Reads `is now known as bob`, `was kicked by bob (why)`, `sets mode: +o bob` and `changes topic to 'words'`.
    private static func unmasked(_ text: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>) -> IRCLine? {
        let isEvent =
            if rest.starts(with: "was kicked by ") {
                rest.last == UInt8(ascii: ")")
            } else if rest.starts(with: "changes topic to '") {
                rest.last == UInt8(ascii: "'")
            } else {
                rest.starts(with: "is now known as ") || rest.starts(with: "sets mode: +")
                    || rest.starts(with: "sets mode: -")
            }
        return isEvent ? IRCLine.event(text) : nil
    }

    private static func isBracketed(_ text: ArraySlice<UInt8>) -> Bool {
        text.first == UInt8(ascii: "(") && text.last == UInt8(ascii: ")")
    }
}
