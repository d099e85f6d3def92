import Bytes
import ChatModel

/// The beginning of an entry: `MR 20261121T06:23:11Z 001 text`.
struct MCabberEntry: Sendable {
    /// M for a message, S for a status.
    let type: UInt8
    /// Of a message R (received), S (sent) or I (of the client); of a status O (online), A (away) and so on.
    let info: UInt8
    let stamp: LineStamp
    /// The number of further lines.
    let furtherLines: Int
    let text: ArraySlice<UInt8>

    /// The sender of one's own messages in a conversation of two.
    static let own = "you"

    init?(_ line: ArraySlice<UInt8>) {
        var scanner = ByteScanner(line)
        let marks = scanner.take(atMost: 2) { $0 != Byte.space }
        guard marks.count == 2, let type = marks.first, let info = marks.last, "MS".utf8.contains(type),
            info == UInt8(ascii: "_") || (0x41...0x5A).contains(info), scanner.take(Byte.space),
            let year = scanner.number(of: 4), let month = scanner.number(of: 2), let day = scanner.number(of: 2),
            scanner.take("T"), let clock = scanner.clock(), clock.second != nil, scanner.take("Z "),
            let count = scanner.number(of: 3), scanner.take(Byte.space) || scanner.rest.isEmpty
        else { return nil }
        (self.type, self.info, furtherLines, text) = (type, info, count, scanner.rest)
        stamp = LineStamp(
            date: CalendarDate(year: year, month: month, day: day), seconds: clock.seconds, resolution: .second)
    }

    var isMessage: Bool { type == UInt8(ascii: "M") && info != UInt8(ascii: "I") }
    var isSent: Bool { type == UInt8(ascii: "M") && info == UInt8(ascii: "S") }
    var isStatus: Bool { type == UInt8(ascii: "S") }

    /// True for a client's line about a room's people.
    var isOfRoom: Bool {
        guard !isMessage, !isStatus else { return false }
        return text.starts(with: "You have joined as ") || text.suffix(11).elementsEqual(" has joined".utf8)
            || text.suffix(16).elementsEqual(" joined the room".utf8)
    }

    /// The mark of poezio after a name: a space and a non-breaking space.
    static let poeziosMark = "> \u{A0}"

    /// True for a message of poezio, whose further lines begin with a space.
    var isOfPoezio: Bool { text.first == UInt8(ascii: "<") && text.range(of: Self.poeziosMark) != nil }
}

/// Reads the words of mcabber and poezio, which are English in every language.
struct MCabberWords: Sendable {
    /// The time of one's own entry, with which mcabber lists the people who are there; nil after the list.
    private var entered: LineStamp?
    /// The last topic, which mcabber writes again as a message.
    private var topic: [UInt8]?

    /// Returns nil for a topic that is repeated.
    mutating func content(of entry: MCabberEntry, _ text: ArraySlice<UInt8>, in room: IRCLog.Room) -> IRCLine? {
        if entry.isStatus { return Self.status(entry.info, text, room) }
        guard entry.isMessage else { return event(text, entry.stamp) }
        let repeated = topic
        (topic, entered) = (nil, nil)
        guard let (name, words) = Self.named(text, isOfPoezio: entry.isOfPoezio, isDirect: room.isDirect) else {
            if text.elementsEqual("~ []".utf8) { return nil }
            guard room.isDirect else { return .system(text) }
            return Self.said(entry.isSent ? MCabberEntry.own : room.name, text)
        }
        if let repeated, entry.furtherLines == 1, words.elementsEqual("[".utf8 + repeated + "]".utf8) { return nil }
        return Self.said(LogText(name).string, words)
    }

    /// Reads `<alice> hi`, which mcabber writes in rooms and poezio everywhere.
    private static func named(
        _ text: ArraySlice<UInt8>, isOfPoezio: Bool, isDirect: Bool
    ) -> (name: ArraySlice<UInt8>, words: ArraySlice<UInt8>)? {
        guard isOfPoezio || !isDirect, let rest = text.after("<"),
            let (name, words) = rest.parted(by: isOfPoezio ? MCabberEntry.poeziosMark : "> ")
                ?? (rest.last == UInt8(ascii: ">") ? (rest.dropLast(), []) : nil),
            !name.isEmpty
        else { return nil }
        return (name, words)
    }

    private static func said(_ sender: String, _ text: ArraySlice<UInt8>) -> IRCLine {
        let sender = LogText(Array(sender.utf8)[...])
        if let action = text.after("/me ") { return IRCLine(.action, sender, LogText(action)) }
        return IRCLine(.message, sender, LogText(text))
    }

    private static let states = [
        "O": "online", "F": "free for chat", "D": "busy", "N": "not available", "A": "away", "I": "invisible",
        "_": "offline",
    ]

    private static func status(_ info: UInt8, _ text: ArraySlice<UInt8>, _ room: IRCLog.Room) -> IRCLine {
        let letter = String(UnicodeScalar(info))
        let words = LogText(text.trimmed).string
        let state = "\(room.name) is \(states[letter] ?? letter)" + (words.isEmpty ? "" : ": \(words)")
        return .system(Array(state.utf8)[...])
    }

    // MARK: - Events

    private mutating func event(_ text: ArraySlice<UInt8>, _ stamp: LineStamp) -> IRCLine {
        if let own = text.after("You have joined as \"")?.unwrapped("", "\"") {
            entered = stamp
            return IRCLine(.join, LogText(own))
        }
        if let name = Self.joined(text) {
            // mcabber lists all people after one's own entry.
            return stamp == entered && !text.starts(with: "---> ") ? .system(text) : IRCLine(.join, name)
        }
        entered = nil
        if let event = Self.left(text) ?? Self.kicked(text) { return event }
        if let (old, new) = text.parted(by: " is now known as "), !old.isEmpty, !new.isEmpty {
            return IRCLine(.rename, LogText(old), LogText(new))
        }
        for words in [" has set the topic to: ", " set the subject to: "] {
            guard let (name, topic) = text.parted(by: words), !name.isEmpty else { continue }
            self.topic = Array(topic)
            return IRCLine(.topic, LogText(name), LogText(topic))
        }
        return .system(text)
    }

    /// Reads `alice has joined`, `---> alice joined the room`, `---> You (alice) joined the room`.
    private static func joined(_ text: ArraySlice<UInt8>) -> LogText? {
        let isOfMCabber = text.suffix(11).elementsEqual(" has joined".utf8)
        guard let name = isOfMCabber ? text.dropLast(11) : text.after("---> ")?.parted(by: " joined the room")?.left
        else {
            return nil
        }
        return person(name)
    }

    /// Reads `alice has left`, `alice has left: why`, `<--- alice has left the room (why)`, `<--- You (alice) left the
    /// room`.
    private static func left(_ text: ArraySlice<UInt8>) -> IRCLine? {
        if let rest = text.after("<--- "),
            let (name, why) = rest.parted(by: " has left the room") ?? rest.parted(by: " left the room")
        {
            let reason = why.trimmed
            return person(name).map {
                IRCLine(.leave, $0, reason.first == UInt8(ascii: "(") ? LogText(reason.unwrapped("(", ")")) : nil)
            }
        }
        guard let (name, why) = text.parted(by: " has left"), why.isEmpty || why.starts(with: ": ") else { return nil }
        return person(name).map { IRCLine(.leave, $0, LogText(why.dropFirst(2))) }
    }

    /// Reads `alice has been kicked from room@rooms.example.org by bob`, a line feed and `Reason: why`; `-!- alice has been
    /// banned by bob Reason: why`.
    private static func kicked(_ text: ArraySlice<UInt8>) -> IRCLine? {
        for verb in [" has been kicked", " has been banned"] {
            guard let (victim, rest) = text.parted(by: verb), let victim = person(victim.after("-!- ") ?? victim) else {
                continue
            }
            let (place, why) = rest.parted(by: "Reason: ") ?? (rest, [])
            let by = place.lastRange(of: " by ").map { place[$0.upperBound...] }
            let name = by.flatMap { person($0.prefix { $0 != Byte.lineFeed }) }
            let text = Array(victim.string.utf8) + (why.isEmpty ? [] : ": ".utf8 + why)
            return IRCLine(.kick, name, LogText(text[...]))
        }
        return nil
    }

    /// Returns the name of `alice` and `You (alice)`.
    private static func person(_ text: ArraySlice<UInt8>) -> LogText? {
        let name = text.trimmed
        let bare = name.after("You (").map { $0.unwrapped("", ")") } ?? name
        return bare.isEmpty ? nil : LogText(bare)
    }
}
