import Bytes
import ChatModel

/// A line of ircII, EPIC5 or ScrollZ.
struct IrcIILine {
    enum Place: Hashable {
        case room(String)
        /// A conversation of two.
        case person(String)
        /// The room in which one writes.
        case current
        /// A room of a person: the line names none.
        case roomOf(String)
        /// The client's or the server's own message.
        case program
    }

    let place: Place
    /// The content of an event; nil for another line.
    let event: IRCLine?
    /// The people in a room, of `Users on #example: bob @alice`.
    let members: (room: String, names: [String])?
    private let said: IRCLine?
    private let text: ArraySlice<UInt8>

    init(_ line: ArraySlice<UInt8>) {
        if let rest = Self.eventText(line) {
            text = rest
            said = nil
            let read = IrcIIEvent.read(rest)
            event = read?.content
            place =
                read.map { read in
                    read.room.map { .room($0) } ?? .roomOf(read.content.sender?.string ?? "")
                } ?? .program
            members = IrcIIEvent.members(rest)
            return
        }
        let read = Self.said(line)
        (said, event, members, text) = (read?.content, nil, nil, line)
        place = read?.place ?? .program
    }

    /// Returns true for an event or a message.
    static func hasKnownForm(_ line: ArraySlice<UInt8>) -> Bool { eventText(line) != nil || said(line) != nil }

    /// The room that the line names; nil if none.
    var room: String? { if case .room(let name) = place { name } else { nil } }

    /// - Parameter ownNick: The sender of `> hi`; nil if no line gave it.
    func content(by ownNick: LogText?) -> IRCLine {
        if let event { return event }
        guard let said else { return .system(TextFormatting.strip(Array(text))[...]) }
        guard said.sender == nil else { return said }
        return IRCLine(said.kind, ownNick ?? LogText(Array(IRCLog.ownMark.utf8)[...]), said.body)
    }

    /// Returns the text after `*** ` or ScrollZ's mark.
    private static func eventText(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        line.after("*** ") ?? line.after("\u{2}[\u{2}S+Z\u{2}]\u{2} ")
    }

    // MARK: - Messages

    /// Reads a message; without a sender if it is one's own.
    private static func said(_ line: ArraySlice<UInt8>) -> (content: IRCLine, place: Place)? {
        if let words = line.after("> ") { return (IRCLine(.message, nil, LogText(words)), .current) }
        return privately(line) ?? acted(line) ?? named(line)
    }

    /// Reads `<alice> hi`, `<alice:#other> hi`, `-alice:#example- psst` and `-alice- psst`.
    private static func named(_ line: ArraySlice<UInt8>) -> (content: IRCLine, place: Place)? {
        let isNotice = line.first == Byte.dash
        guard isNotice || line.first == UInt8(ascii: "<"),
            let (from, words) = line.dropFirst().parted(by: isNotice ? "- " : "> "), !from.contains(Byte.space),
            // No nick begins with "-" (RFC 2812 §2.3.1).
            from.first != Byte.dash, let (name, room) = person(from)
        else { return nil }
        // ScrollZ: <#other> ∞ alice waves
        if !isNotice, from.isChannelName, let action = words.after(infinity + " "), let read = acting(action) {
            return (read.content, .room(LogText(from).string))
        }
        let content = IRCLine(isNotice ? .notice : .message, name, LogText(words))
        if let room { return (content, .room(room)) }
        guard isNotice else { return (content, .current) }
        // No nick has a dot, but servers have.
        return (content, from.contains(Byte.dot) ? .program : .person(name.string))
    }

    private static func person(_ from: ArraySlice<UInt8>) -> (name: LogText, room: String?)? {
        let (name, room) = from.parted(by: ":") ?? (from, [])
        return IRCLine.nick(name).map { ($0, room.isChannelName ? LogText(room).string : nil) }
    }

    /// ScrollZ's mark of actions.
    private static let infinity = "∞"

    /// Reads `* alice waves`, `* alice:#other waves`, and `*> alice waves` of a conversation of two.
    private static func acted(_ line: ArraySlice<UInt8>) -> (content: IRCLine, place: Place)? {
        guard let rest = line.after("*") ?? line.after(infinity) else { return nil }
        if let action = rest.after("> ") {
            return acting(action).map { ($0.content, .person($0.content.sender?.string ?? "")) }
        }
        return rest.after(" ").flatMap(acting)
    }

    private static func acting(_ text: ArraySlice<UInt8>) -> (content: IRCLine, place: Place)? {
        let from = text.prefix { $0 != Byte.space }
        return person(from).map {
            (
                IRCLine(.action, $0.name, LogText(text[from.endIndex...].dropFirst())),
                $0.room.map { .room($0) } ?? .current
            )
        }
    }

    // MARK: - Conversations of two

    /// ScrollZ's mark around names.
    private static let dot = "∙"

    /// Reads `*alice* hi`, `*alice*> hi` of EPIC5, `-> *alice* hi` of ircII, and ScrollZ's forms.
    private static func privately(_ line: ArraySlice<UInt8>) -> (content: IRCLine, place: Place)? {
        if let (name, words) = line.after("-> *")?.parted(by: "* ") ?? line.after("[\(dot)")?.parted(by: "\(dot)] ") {
            return direct(name, words, isOwn: true)
        }
        if let (name, words) = line.after("\u{2}\(dot)\u{2}")?.parted(by: "\u{2}\(dot)\u{2} ") {
            return direct(name, withoutAddress(words), isOwn: false)
        }
        guard let (name, words) = line.after("*")?.parted(by: "*"), !name.isEmpty else { return nil }
        if let words = words.after("> ") { return direct(name, words, isOwn: true) }
        return words.after(" ").flatMap { direct(name, $0, isOwn: false) }
    }

    private static func direct(
        _ name: ArraySlice<UInt8>, _ words: ArraySlice<UInt8>, isOwn: Bool
    ) -> (content: IRCLine, place: Place)? {
        guard !name.contains(Byte.space), let name = IRCLine.nick(name) else { return nil }
        return (IRCLine(.message, isOwn ? nil : name, LogText(words)), .person(name.string))
    }

    /// Returns `hi` for ScrollZ's `hi  (~alice@host) [06:23]`.
    private static func withoutAddress(_ words: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let address = words.lastRange(of: "  ("), words.last == Byte.listEnd,
            words[address.upperBound...].range(of: ") [") != nil
        else { return words }
        return words[..<address.lowerBound]
    }
}

/// The events of ircII, EPIC5 and ScrollZ.
enum IrcIIEvent {
    /// Reads an event, and the room that it names; nil for another text.
    static func read(_ text: ArraySlice<UInt8>) -> (content: IRCLine, room: String?)? {
        if let rest = text.after("Mode change \""), let (mode, rest) = rest.parted(by: "\" on channel "),
            let by = rest.lastRange(of: " by "), let name = IRCLine.nick(rest[by.upperBound...])
        {
            return (IRCLine(.mode, name, LogText(mode)), room(rest[..<by.lowerBound]))
        }
        if let (name, why) = text.after("Signoff: ")?.parted(by: " ("), let name = IRCLine.nick(name) {
            return (IRCLine(.leave, name, LogText(why.unwrapped("", ")"))), nil)
        }
        guard let (first, rest) = text.parted(by: " "), let name = IRCLine.nick(first) else { return nil }
        if let new = rest.after("is now known as ").flatMap(IRCLine.nick) { return (IRCLine(.rename, name, new), nil) }
        if rest.first == UInt8(ascii: "("), let (mask, place) = rest.parted(by: ") has joined channel "),
            mask.contains(Byte.at)
        {
            return room(place).map { (IRCLine(.join, name), $0) }
        }
        return left(name, rest) ?? kicked(name, rest) ?? topic(name, rest)
    }

    /// Reads `Users on #example: bob @alice`.
    static func members(_ text: ArraySlice<UInt8>) -> (room: String, names: [String])? {
        guard let (place, names) = text.after("Users on ")?.parted(by: ": "), let room = room(place) else { return nil }
        return (room, names.split(separator: Byte.space).compactMap { IRCLine.nick($0)?.string })
    }

    /// Reads `has left channel #example`, `… (why)`, and `… because (why)` of EPIC5.
    private static func left(_ name: LogText, _ rest: ArraySlice<UInt8>) -> (content: IRCLine, room: String?)? {
        guard let place = rest.after("has left channel "), let room = room(place) else { return nil }
        let why = place.parted(by: " ")?.right
        let reason = (why?.after("because ") ?? why)?.unwrapped("(", ")")
        return (IRCLine(.leave, name, reason.map { LogText($0) }), room)
    }

    /// Reads `has been kicked off channel #example by alice (why)`, and `… from channel …` of ScrollZ.
    private static func kicked(_ name: LogText, _ rest: ArraySlice<UInt8>) -> (content: IRCLine, room: String?)? {
        guard
            let place = rest.after("has been kicked off channel ") ?? rest.after("has been kicked from channel "),
            let (_, by) = place.parted(by: " by "), let kicker = IRCLine.nick(by.prefix { $0 != Byte.space })
        else { return nil }
        let why = by.parted(by: " ")?.right.unwrapped("(", ")") ?? []
        return room(place).map { (IRCLine.kick(name, kicker, why), $0) }
    }

    /// Reads `has changed the topic on channel #example to words`; ScrollZ's `has set the topic on …` and `has unset the
    /// topic on …`.
    private static func topic(_ name: LogText, _ rest: ArraySlice<UInt8>) -> (content: IRCLine, room: String?)? {
        if let place = rest.after("has unset the topic on channel ") {
            return room(place).map { (IRCLine(.topic, name), $0) }
        }
        guard
            let place = rest.after("has changed the topic on channel ") ?? rest.after("has set the topic on channel "),
            let (_, words) = place.parted(by: " to "), let room = room(place)
        else { return nil }
        return (IRCLine(.topic, name, LogText(words)), room)
    }

    /// Returns the channel at the beginning.
    private static func room(_ text: ArraySlice<UInt8>) -> String? {
        let name = text.prefix { $0 != Byte.space }
        return name.isChannelName ? LogText(name).string : nil
    }
}
