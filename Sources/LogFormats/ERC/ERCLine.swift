import Bytes
import ChatModel

/// A line of ERC without its time.
struct ERCLine {
    /// The time at the line's end or beginning; nil if it has none.
    let stamp: LineStamp?
    let text: ArraySlice<UInt8>

    init(_ line: ArraySlice<UInt8>) {
        if let (text, stamp) = Self.stampAtEnd(line) {
            (self.text, self.stamp) = (text, stamp)
            return
        }
        var rest = line
        let stamp = LineStamp(taking: &rest, brackets: .required)
        (self.stamp, text) = stamp?.date == nil ? (stamp, rest) : (nil, line)
    }

    /// True for the rest of a line that was broken. A line that begins with a time at column 0 is none.
    var isIndented: Bool { text.first.map { $0 == Byte.space || $0 == Byte.tab } ?? true }

    /// True for a message, an action, an event or a notice, and for any line with a time at its end.
    var isKnown: Bool {
        stamp != nil || ["<", "* ", "*** ", "-"].contains { text.starts(with: $0) }
    }

    /// Returns the date of `[Sat Nov 21 2026]`, which begins a day; its words may be in the user's language.
    static func date(_ line: ArraySlice<UInt8>) -> CalendarDate? {
        guard let inner = line.after("["), inner.last == Byte.listEnd, inner.count <= maximumDate,
            !inner.contains(Byte.colon)
        else { return nil }
        return LocaleDate.candidates(inner.dropLast()).first
    }

    /// `Saturday, 21 November 2026` in a language with longer words.
    private static let maximumDate = 60

    /// ERC moves the time to column 71, with tabs where a tab stop lies between.
    private static let column = 60

    private static func stampAtEnd(_ line: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, LineStamp)? {
        guard line.last == Byte.listEnd, let start = line.lastIndex(of: Byte.listStart) else { return nil }
        var end = line[start...]
        guard let stamp = LineStamp(taking: &end, brackets: .required), stamp.date == nil, end.isEmpty else {
            return nil
        }
        var text = line[..<start]
        while let last = text.last, last == Byte.space || last == Byte.tab { text.removeLast() }
        let space = line[text.endIndex..<start]
        guard space.count > 1, space.contains(Byte.tab) || text.isEmpty || start - line.startIndex >= column else {
            return nil
        }
        return (text, stamp)
    }
}

/// A line of ERC with the lines that were broken from it.
struct ERCEntry: Sendable {
    /// 64 KiB, the limit of a line in other logs. The rest is cut off.
    private static let maximumSize = 64 * 1024

    let line: LogLine
    private(set) var stamp: LineStamp?
    private(set) var text: [UInt8]
    private(set) var isCut: Bool
    /// False if bytes could not be decoded.
    private(set) var isValid: Bool

    init(_ line: LogLine, _ read: ERCLine, isValid: Bool) {
        (self.line, stamp, text, isCut) = (line, read.stamp, Array(read.text), line.isCut)
        self.isValid = isValid
    }

    /// Appends the rest of a broken line, or takes the time of a line that has nothing else.
    mutating func append(_ read: ERCLine, isCut: Bool, isValid: Bool) {
        self.isValid = self.isValid && isValid
        if let stamp = read.stamp { self.stamp = stamp }
        let more = read.text.drop { $0 == Byte.space || $0 == Byte.tab }
        self.isCut = self.isCut || isCut || text.count + more.count > Self.maximumSize
        guard !self.isCut, !more.isEmpty else { return }
        if !Self.isUnspaced(text.suffix(3), more.prefix(3)) { text.append(Byte.space) }
        text += more
    }

    /// Returns true if Emacs breaks a line between these characters without a space: both are Chinese or Japanese.
    private static func isUnspaced(_ before: ArraySlice<UInt8>, _ after: ArraySlice<UInt8>) -> Bool {
        [before, after].allSatisfy { bytes in
            guard bytes.count == 3, let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first else {
                return false
            }
            return [0x2E80...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFFEF].contains { $0.contains(scalar.value) }
        }
    }
}

/// The content of a line of ERC.
enum ERCEvent {
    /// - Parameter ownNick: The nick in the file's name, or the last one that a line gave.
    static func content(_ text: ArraySlice<UInt8>, ownNick: LogText?) -> IRCLine {
        guard let event = text.after("*** ") else {
            let isSaid = ["<", "* ", "-"].contains { text.starts(with: $0) }
            return (isSaid ? IRCLine(text, isTimed: false) : nil) ?? .system(text)
        }
        return own(event, ownNick) ?? others(event) ?? .system(event)
    }

    /// Returns the channel of `*** You have joined channel #example` and `*** alice (~alice@host) has joined channel …`.
    static func joinedRoom(_ line: ArraySlice<UInt8>) -> String? {
        guard let (_, room) = ERCLine(line).text.after("*** ")?.parted(by: " joined channel "), room.isChannelName
        else {
            return nil
        }
        return LogText(room).string
    }

    /// Reads `You have joined channel #example`, `You have left channel #example`, `Your new nickname is bob`, `You have
    /// been kicked by alice (~alice@host) off channel #example: why`, `You have kicked alice off channel #example: why`.
    private static func own(_ event: ArraySlice<UInt8>, _ ownNick: LogText?) -> IRCLine? {
        guard let ownNick else { return nil }
        if let new = event.after("Your new nickname is ").flatMap(IRCLine.nick) {
            return new.string == ownNick.string ? nil : IRCLine(.rename, ownNick, new)
        }
        if event.starts(with: "You have joined channel ") { return IRCLine(.join, ownNick) }
        if event.starts(with: "You have left channel ") { return IRCLine(.leave, ownNick, reason(event)) }
        if let (by, _) = event.after("You have been kicked by ")?.parted(by: " off channel "), let by = nick(by) {
            return IRCLine.kick(ownNick, by, parted(event))
        }
        guard let (victim, _) = event.after("You have kicked ")?.parted(by: " off channel "),
            let victim = IRCLine.nick(victim)
        else { return nil }
        return IRCLine.kick(victim, ownNick, parted(event))
    }

    /// Reads `alice (~alice@host) has joined channel #example`, `… has left channel #example: why`, `… has quit: why`, `…
    /// is now known as bob`, `… has kicked bob off channel #example: why`, `… has set the topic for #example: "words"`, `…
    /// has changed mode for #example to +o bob`.
    private static func others(_ event: ArraySlice<UInt8>) -> IRCLine? {
        guard let (who, rest) = event.parted(by: " "), let name = IRCLine.nick(who) else { return nil }
        var words = rest
        if rest.first == UInt8(ascii: "(") {
            guard let (mask, more) = rest.parted(by: ") "), mask.contains(Byte.at) else { return nil }
            words = more
        }
        if let room = words.after("has joined channel ") { return room.isChannelName ? IRCLine(.join, name) : nil }
        if let rest = words.after("has left channel ") { return IRCLine(.leave, name, reason(rest)) }
        if let why = words.after("has quit: ") ?? (words.elementsEqual("has quit:".utf8) ? [] : nil) {
            return IRCLine(.leave, name, LogText(why))
        }
        if let new = words.after("is now known as ") { return IRCLine.nick(new).map { IRCLine(.rename, name, $0) } }
        if let (victim, place) = words.after("has kicked ")?.parted(by: " off channel "),
            let victim = IRCLine.nick(victim)
        {
            return IRCLine.kick(victim, name, parted(place))
        }
        if let (_, topic) = words.after("has set the topic for ")?.parted(by: ": ") {
            return IRCLine(.topic, name, LogText(topic.unwrapped("\"", "\"")))
        }
        guard let (_, mode) = words.after("has changed mode for ")?.parted(by: " to ") else { return nil }
        return IRCLine(.mode, name, LogText(mode))
    }

    private static func nick(_ mask: ArraySlice<UInt8>) -> LogText? { IRCLine.nick(mask.prefix { $0 != Byte.space }) }

    private static func reason(_ text: ArraySlice<UInt8>) -> LogText? {
        text.parted(by: ": ").map { LogText($0.right) }
    }

    private static func parted(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> { text.parted(by: ": ")?.right ?? [] }
}
