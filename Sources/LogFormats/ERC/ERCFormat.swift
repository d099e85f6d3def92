import Bytes
import ChatModel
import TextEncodings

/// The logs of the IRC client ERC (Emacs), copies of its windows: `<alice> hi`, with the time at the end of a line when
/// it changes (`erc-log.el` and `erc-stamp.el` of Emacs 28).
///
/// `#example!me@irc.example.net:6667.txt`, in UTF-8 or in Emacs's own encoding. `[Sat Nov 21 2026]` begins a day. Lines
/// are broken at 78 columns, and the rest of a line is indented.
package struct ERCFormat: LogFormat {
    package static let name = "erc"
    package static let programs = "ERC"
    package static let isOfIRC = true
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true
    /// Its bytes are decoded here: see ``EmacsMule``.
    package static let isAlwaysUTF8 = true
    package static let decodesLines = true

    private let room: IRCLog.Room
    private var clock: LogClock
    private var ownNick: LogText?
    private var held: ERCEntry?

    /// Recognises a file that begins with a day, or has ERC's own name, and has a line of ERC's.
    package static func recognises(_ source: LogSource) -> Bool {
        let lines = IRCLog.lines(of: source.beginning, first: 20)
        guard let first = lines.first(where: { !$0.isBlank }) else { return false }
        let hasLine = lines.contains { ERCLine($0).isKnown }
        return hasLine && (ERCLine.date(first) != nil || ERCName(source.name)?.isOwn ?? false && ERCLine(first).isKnown)
    }

    package static func isOwnName(_ name: String) -> Bool { ERCName(name)?.isOwn ?? false }

    /// - Throws: ``LogSourceError`` if neither the name nor a line has a day, or the name has no room.
    package init(_ source: LogSource) throws(LogSourceError) {
        let day = LocalDay(named: source.name, zone: source.zone)
        let lines = IRCLog.lines(of: source.beginning)
        guard day != nil || lines.contains(where: { ERCLine.date($0) != nil }) else { throw .noDate }
        let name = ERCName(source.name)
        guard let room = source.room ?? name?.room(in: lines) else { throw .noRoom }
        let isDirect = source.room == nil && !RoomName.isChannel(room) && !room.contains(".") && !room.contains(":")
        self.room = IRCLog.Room(name: room, isDirect: isDirect)
        ownNick = name?.nick.map { LogText(Array($0.utf8)[...]) }
        clock = LogClock(day: day, zone: source.zone, now: source.now)
    }

    package var assumptions: [String] { clock.assumptions }
    package var heldLine: LogLine? { held?.line }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        let (text, isValid) = line.bytes.isUTF8 ? ([], true) : EmacsMule.decoded(line.bytes)
        let bytes = text.isEmpty ? line.bytes : text[...]
        guard !bytes.isBlank else { return .nothing }
        if let date = ERCLine.date(bytes) {
            defer { clock.begin(date) }
            return finish()
        }
        let read = ERCLine(bytes)
        if read.isIndented, held != nil {
            held?.append(read, isCut: line.isCut, isValid: isValid)
            return .nothing
        }
        guard !read.text.isEmpty else { return .nothing }
        let before = finish()
        held = ERCEntry(line, read, isValid: isValid)
        return before
    }

    package mutating func finish() -> ParsedLine {
        guard let entry = held else { return .nothing }
        held = nil
        let time =
            entry.stamp.map { clock.resolve($0, line: entry.line.number) } ?? clock.last
            // A log that begins within a minute.
            ?? clock.resolve(LineStamp(seconds: 0, resolution: .minute), line: entry.line.number)
        if entry.isCut { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard let time else { return .unreadable("no earlier line gives its date") }
        let content = ERCEvent.content(entry.text[...], ownNick: ownNick)
        if content.kind == .rename, content.sender?.string == ownNick?.string { ownNick = content.body }
        var message = content.message(in: room, at: time)
        if !entry.isValid {
            message.flags.insert(.invalidUTF8)
            message.raw = Array(entry.line.bytes)
        }
        return .message(message)
    }

    /// Returns `irc.example.net` for `#example!me@irc.example.net:6667.txt`.
    package static func accountName(in source: LogSource) -> String? { ERCName(source.name)?.network }
}

/// The name of a log of ERC: `#example!me@irc.example.net:6667.txt`, `#example@libera.txt`, `#example.txt`, with or
/// without a date.
struct ERCName {
    /// The room or the person, with `!` for each `/`.
    private let target: String
    let nick: String?
    let network: String?

    init?(_ name: String) {
        let stem = RoomName.stem(of: name)
        let parts = stem.split(separator: "@", omittingEmptySubsequences: false)
        let before = parts.count > 1 ? parts.dropLast().joined(separator: "@") : stem
        let server = parts.count > 1 ? parts.last : nil
        network = NetworkName.plausible(server.map { String($0.prefix { $0 != ":" }) })
        let mark = server == nil ? nil : before.lastIndex(of: "!")
        nick = mark.map { String(before[before.index(after: $0)...]) }
        target = mark.map { String(before[..<$0]) } ?? before
        isOwn = nick != nil && name.hasSuffix(".txt")
        guard !RoomName.isOnlyMarks(target) else { return nil }
    }

    /// True for a name with a nick and a server, as ERC gives it by default.
    let isOwn: Bool

    /// Returns the room as the lines of joins write it.
    func room(in lines: [ArraySlice<UInt8>]) -> String {
        let joined = lines.lazy.compactMap { ERCEvent.joinedRoom($0) }.first { _ in true }
        return joined.flatMap { NamedRoom.written(target, in: [$0]) } ?? target.replacing("!", with: "/")
    }
}
