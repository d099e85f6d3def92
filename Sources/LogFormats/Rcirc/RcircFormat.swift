import Bytes
import ChatModel

/// The logs of the IRC client rcirc (Emacs): `06:23 <alice> hi`, `06:23 [alice waves]`, `06:23 *** alice JOIN` (Emacs 28).
///
/// `#example@irc.example.net`. No line has a date, so the file's name must have that of the first line. The next day
/// begins when the clock passes midnight.
package struct RcircFormat: LogFormat {
    package static let name = "rcirc"
    package static let programs = "rcirc"
    package static let isOfIRC = true
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true

    private let room: IRCLog.Room
    private var clock: LogClock

    /// Recognises a file whose first lines have rcirc's form, if one of them or the name has what only rcirc writes.
    package static func recognises(_ source: LogSource) -> Bool {
        let lines = IRCLog.lines(of: source.beginning, first: 20)
        guard !lines.isEmpty, lines.allSatisfy({ RcircLine($0)?.hasKnownForm ?? false }) else { return false }
        let stem = RoomName.stem(of: source.name)
        return isOwnStem(stem) || isConversation(stem, source)
            || IRCLog.eachLine(of: source.beginning).contains { RcircLine($0)?.event != nil }
    }

    /// Returns true for `#example@irc.example.net`.
    private static func isOwnStem(_ stem: String) -> Bool {
        RoomName.isChannel(stem) && stem.contains("@") && !stem.contains(" ")
    }

    /// Returns true for `alice@irc.example.net`: a nick, which has no dot, and a host, which has one. A log of irssi-xmpp
    /// also has the address of a person as its name; irssi adds `.log` to it.
    private static func isConversation(_ stem: String, _ source: LogSource) -> Bool {
        let parts = stem.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains("."), parts[1].contains("."), !stem.contains(" ")
        else { return false }
        return !source.name.lowercased().hasSuffix(".log") && !source.folders.contains { $0.hasPrefix("xmpp:") }
    }

    /// - Throws: ``LogSourceError`` if the name has no date or nothing names the room.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let day = LocalDay(named: source.name, zone: source.zone) else {
            throw .unusable(
                reason: "logs of rcirc have no dates",
                hint: "rename the file after the day of its first line, such as \(source.name).2026-11-21")
        }
        guard let room = Self.room(of: source) else { throw .noRoom }
        self.room = room
        clock = LogClock(day: day, zone: source.zone, now: source.now)
    }

    package var assumptions: [String] { clock.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        guard let read = RcircLine(line.bytes) else { return .unreadable("not a valid rcirc line") }
        let time = clock.resolve(read.stamp, line: line.number)
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard let time else { return .unreadable("its date does not exist") }
        return .message(read.content.message(in: room, at: time))
    }

    /// Returns `#Mix/ed` for `#Mix/ed@irc.example.net`: for a slash, rcirc makes a folder.
    private static func room(of source: LogSource) -> IRCLog.Room? {
        if let room = source.room { return IRCLog.Room(name: room) }
        let start = source.folders.firstIndex(where: RoomName.isChannel) ?? source.folders.endIndex
        let stem = RoomName.stem(of: source.name)
        let path = (source.folders[start...] + [stem]).filter { !$0.isEmpty }.joined(separator: "/")
        let name = path.lastIndex(of: "@").map { String(path[..<$0]) } ?? path
        guard !RoomName.isOnlyMarks(name) else { return nil }
        // The server's own window has the server's name. No nick has a dot.
        return IRCLog.Room(name: name, isDirect: !RoomName.isChannel(name) && !name.contains("."))
    }

    /// Returns `irc.example.net` for `#example@irc.example.net`.
    package static func accountName(in source: LogSource) -> String? {
        let stem = RoomName.stem(of: source.name)
        return stem.lastIndex(of: "@").flatMap { NetworkName.plausible(String(stem[stem.index(after: $0)...])) }
    }
}

/// A line of rcirc: its time, and the text after it.
struct RcircLine {
    let stamp: LineStamp
    private let text: ArraySlice<UInt8>

    init?(_ line: ArraySlice<UInt8>) {
        var rest = line
        guard let stamp = LineStamp(taking: &rest, brackets: .none), stamp.date == nil, stamp.resolution == .minute
        else { return nil }
        (self.stamp, text) = (stamp, rest)
    }

    /// True for a message, an action, an event, or a command of one's own.
    var hasKnownForm: Bool {
        guard let first = text.first, !text.starts(with: "-!- "), !text.starts(with: "< ") else { return false }
        return text.starts(with: "*** ") || said != nil || first == Byte.slash
    }

    var content: IRCLine { event ?? said ?? .system(text) }

    /// Reads `<alice> hi`, `[alice waves]` and `-alice- psst`.
    private var said: IRCLine? {
        if let action = text.after("["), action.last == Byte.listEnd {
            let name = action.prefix { $0 != Byte.space }
            guard name.count < action.count else { return nil }
            return IRCLine.nick(name).map {
                IRCLine(.action, $0, LogText(action[name.endIndex...].dropFirst().dropLast()))
            }
        }
        guard let first = text.first, first == UInt8(ascii: "<") || first == Byte.dash else { return nil }
        return IRCLine(text, isTimed: false)
    }

    /// Reads `*** alice JOIN`, `*** alice PART #example why`, `*** alice QUIT why`, `*** alice KICK bob #example why`,
    /// `*** alice NICK bob`, `*** alice TOPIC words`, `*** alice MODE +o bob`; nil for another line.
    var event: IRCLine? {
        guard let (who, rest) = text.after("*** ")?.parted(by: " "), let name = IRCLine.nick(who) else { return nil }
        let (command, words) = rest.parted(by: " ") ?? (rest, [])
        switch String(decoding: command, as: UTF8.self) {
        case "JOIN": return IRCLine(.join, name)
        case "PART": return IRCLine(.leave, name, words.parted(by: " ").map { LogText($0.right) })
        case "QUIT": return IRCLine(.leave, name, LogText(words))
        case "NICK": return IRCLine.nick(words).map { IRCLine(.rename, name, $0) }
        case "TOPIC": return IRCLine(.topic, name, LogText(words))
        case "MODE": return IRCLine(.mode, name, LogText(words))
        case "KICK":
            guard let (victim, place) = words.parted(by: " "), let victim = IRCLine.nick(victim) else { return nil }
            return IRCLine.kick(victim, name, place.parted(by: " ")?.right ?? [])
        default: return nil
        }
    }
}
