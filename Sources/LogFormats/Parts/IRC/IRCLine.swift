import Bytes
import ChatModel

/// The content of a line of an IRC client's or bot's log, after its time.
struct IRCLine {
    let kind: MessageKind
    let sender: LogText?
    let body: LogText?

    /// - Parameters:
    ///   - isTimed: True if the line has a time. A line without one is the client's own message.
    ///   - isBare: True if the program writes events without a mark.
    /// - Returns: Nil for a line that no format writes.
    init?(_ line: ArraySlice<UInt8>, isTimed: Bool, isBare: Bool = false) {
        if let content = Self.spoken(line) ?? Self.marked(line, isBare: isBare) ?? IRCArrows.event(line) {
            self = content
        } else if isBare, let event = IRCDialects.bare(line.trimmed) {
            self = event
        } else if isTimed, !line.isBlank, !line.drop(while: { $0 == Self.space }).starts(with: "<"),
            !Self.marks.contains(where: { line.trimmed.elementsEqual($0.trimmedUTF8) })
        {
            self = .system(line)
        } else {
            return nil
        }
    }

    init(_ kind: MessageKind, _ sender: LogText?, _ body: LogText? = nil) {
        self.kind = kind
        self.sender = sender
        // A topic that was unset is empty, as in a live account.
        let body = kind == .topic ? body ?? LogText([]) : body
        self.body = body.flatMap { $0.string.isEmpty && ![.message, .action, .topic].contains(kind) ? nil : $0 }
    }

    static func system(_ text: ArraySlice<UInt8>) -> IRCLine { IRCLine(.system, nil, LogText(text.trimmed)) }

    func message(in room: IRCLog.Room, at time: LineTime) -> ImportedMessage {
        ImportedMessage(
            room: room.name, roomKind: room.kind, kind: kind, sender: sender?.string, body: body?.string,
            time: time.time, resolution: time.resolution, place: time.place,
            flags: (sender?.flags ?? []).union(body?.flags ?? []))
    }

    static let space = UInt8(ascii: " ")
    /// The marks before events: of energymech and ZNC, of energymech alone, of irssi.
    private static let marks = ["*** ", "=== ", "-!- "]

    /// Returns the text after a mark; nil for a line without one.
    static func afterMark(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let line = line.drop { $0 == space }
        return marks.lazy.compactMap { line.after($0) }.first
    }

    /// Reads `<alice> hi`, `(alice/#example) hi`, `* alice waves`, `-alice:#example- hi`; ignores spaces before them.
    private static func spoken(_ line: ArraySlice<UInt8>) -> IRCLine? {
        let line = line.drop { $0 == space }
        switch line.first {
        case UInt8(ascii: "<"):
            guard let end = line.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            return named(.message, withoutRoom(line[(line.startIndex + 1)..<end]), line[(end + 1)...])
        case UInt8(ascii: "("):
            guard let (from, text) = line.dropFirst().parted(by: ") "), let (name, room) = from.parted(by: "/"),
                room.first == UInt8(ascii: "#"), !room.contains(space)
            else { return nil }
            return named(.message, name, text)
        case UInt8(ascii: "*") where line.starts(with: "* "):
            let words = line.dropFirst(2).drop { $0 == space }
            let end = words.firstIndex(of: space) ?? words.endIndex
            return named(.action, withoutRoom(words[..<end]), words[end...])
        case UInt8(ascii: "-") where !line.starts(with: "-!-"):
            guard let end = line.dropFirst().range(of: "- ") else { return nil }
            let from = line[(line.startIndex + 1)..<end.lowerBound]
            // No nick begins with "-" (RFC 2812 §2.3.1). Programs write such rules.
            guard !from.contains(space), from.first != Byte.dash else { return nil }
            let name = from.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "(") }
            return named(.notice, name, line[(end.upperBound - 1)...])
        default:
            return nil
        }
    }

    /// Returns `alice` for `alice:#example`, as irssi writes it in another room's window.
    private static func withoutRoom(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name.parted(by: ":#")?.left ?? name
    }

    private static let modes = Array("@+%&~!".utf8)

    /// Returns true for `< alice>` and `<@alice>`, as irssi writes names in channels.
    static func isPadded(_ line: ArraySlice<UInt8>) -> Bool {
        line.dropFirst().first.map { $0 == space || modes.contains($0) } ?? false
    }

    /// Returns nil without a name. One space between name and text belongs to neither.
    private static func named(_ kind: MessageKind, _ name: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> IRCLine? {
        guard let name = nick(name) else { return nil }
        let text = text.first == space ? text.dropFirst() : text
        // irc3 1.1.12 keeps the marks of CTCP.
        if kind == .message, text.first == 0x01, let words = text.after("\u{1}ACTION ") {
            return IRCLine(.action, name, LogText(words.unwrapped("", "\u{1}")))
        }
        return IRCLine(kind, name, LogText(text))
    }

    /// Returns a nick without a channel's prefix (`@alice`), because no nick begins with one (RFC 2812 §2.3.1), and
    /// without spaces and colours: no nick on IRC has spaces, but some republished logs have one after each `]`. Nil
    /// for several words.
    static func nick(_ bytes: ArraySlice<UInt8>) -> LogText? {
        let bytes = bytes.contains { $0 < space } ? TextFormatting.strip(Array(bytes))[...] : bytes
        var name = bytes.trimmed
        if name.contains(space) {
            var joined: [UInt8] = []
            for byte in name {
                if byte != space { joined.append(byte) } else if joined.last != UInt8(ascii: "]") { return nil }
            }
            name = joined[...]
        }
        let bare = name.drop(while: modes.contains)
        if bare.isEmpty { return name.isEmpty ? nil : LogText(name) }
        return LogText(bare)
    }

    /// Reads an event after a theme's own mark, such as `--`, `==>` or `→`. Messages begin with a name, and actions with
    /// a star.
    private static func themed(_ line: ArraySlice<UInt8>) -> IRCLine? {
        let mark = line.prefix(maximumMark + 1).prefix { $0 != space }
        guard (1...maximumMark).contains(mark.count), mark.first != UInt8(ascii: "<"), mark != [Byte.star],
            !mark.contains(where: { Byte.isLetter($0) || Byte.isDigit($0) })
        else { return nil }
        return event(line[mark.endIndex...].dropFirst())
    }

    /// Three signs beyond ASCII, of three bytes each.
    private static let maximumMark = 9

    /// Reads the text after a mark: an event; an action, where energymech puts a nick first; or a message of the
    /// server.
    private static func marked(_ line: ArraySlice<UInt8>, isBare: Bool) -> IRCLine? {
        let line = line.drop { $0 == space }
        guard let mark = marks.first(where: { line.starts(with: $0) }) else { return themed(line) }
        let text = line.dropFirst(mark.utf8.count)
        guard !text.isBlank else { return nil }
        if mark == marks[0], let event = IRCDialects.starred(text, isBare: isBare) { return event }
        if let event = event(text) { return event }
        let words = text.split(separator: space, maxSplits: 1)
        let isServer = text.starts(with: "Topic for #") || text.starts(with: "Topic (#")
        if mark == "=== ", !isServer, words.count == 2, let end = words[0].last, end != UInt8(ascii: ":") {
            return IRCLine(.action, nick(words[0]), LogText(words[1]))
        }
        return .system(text)
    }
}

extension String {
    fileprivate var trimmedUTF8: ArraySlice<UInt8> { Array(utf8)[...].trimmed }
}
