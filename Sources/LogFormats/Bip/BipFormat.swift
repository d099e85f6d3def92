import Bytes
import ChatModel

/// The logs of the IRC bouncer bip, one file for each day and window: `21-11-2026 06:23:11 < alice!~alice@host: hi`
/// (`src/log.c` of 0.9).
///
/// `alice/libera/2026-11/#example.21.log`; one's own messages begin with `>`. Notices look like messages.
package struct BipFormat: LogFormat {
    package static let name = "bip"
    package static let programs = "bip"
    package static let isOfIRC = true
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true

    private let room: IRCLog.Room
    private var clock: LogClock

    package static func recognises(_ source: LogSource) -> Bool {
        IRCLog.lines(of: source.beginning, first: 1).first.flatMap { BipLine($0)?.content } != nil
    }

    /// - Throws: ``LogSourceError/noRoom`` for a file without a name.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let room = Self.room(of: source) else { throw .noRoom }
        self.room = room
        clock = LogClock(zone: source.zone, now: source.now)
    }

    package var assumptions: [String] { clock.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        guard let read = BipLine(line.bytes) else { return .unreadable("not a valid bip line") }
        let time = clock.resolve(read.stamp, line: line.number)
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard let time else { return .unreadable("its date does not exist") }
        return .message((read.content ?? .system(read.text)).message(in: room, at: time))
    }

    /// Returns the room in the file's name, written as the lines write it. For `#a/b`, bip makes a folder `#a`.
    private static func room(of source: LogSource) -> IRCLog.Room? {
        if let room = source.room { return IRCLog.Room(name: room) }
        let stem = withoutDay(RoomName.stem(of: source.name), source)
        guard !stem.isEmpty else { return nil }
        let folders = source.folders
        let start = folders.firstIndex(where: RoomName.isChannel) ?? folders.endIndex
        let name = (folders[start...] + [stem]).joined(separator: "/")
        if let written = NamedRoom.written(name, in: BipLine.rooms(in: source.beginning)) {
            return IRCLog.Room(name: written)
        }
        return IRCLog.Room(name: name, isDirect: !RoomName.isChannel(name) && !RoomName.isOtherChannel(name))
    }

    /// Returns `#example` for `#example.21` if the first line is of the 21st.
    private static func withoutDay(_ stem: String, _ source: LogSource) -> String {
        let day = IRCLog.lines(of: source.beginning, first: 1).first.flatMap { BipLine($0)?.stamp.date?.day }
        guard let day else { return stem }
        let end = (day < 10 ? ".0" : ".") + String(day)
        return stem.hasSuffix(end) ? String(stem.dropLast(end.count)) : stem
    }

    /// Returns `libera` for `alice/libera/2026-11/#example.21.log`.
    package static func accountName(in source: LogSource) -> String? {
        let folders = source.folders
        let month = folders.lastIndex { $0.wholeMatch(of: /[0-9]{4}-[0-9]{2}/) != nil }
        return NetworkName.plausible(folders[..<(month ?? folders.endIndex)].last { !RoomName.isChannel($0) })
    }
}

/// A line of bip: its time, and its text after it.
struct BipLine {
    let stamp: LineStamp
    let text: ArraySlice<UInt8>

    init?(_ line: ArraySlice<UInt8>) {
        var scanner = ByteScanner(line)
        guard let day = scanner.number(of: 2), scanner.take(Byte.dash), let month = scanner.number(of: 2),
            scanner.take(Byte.dash), let year = scanner.number(of: 4), scanner.take(Byte.space),
            let clock = scanner.clock(), clock.second != nil, scanner.take(Byte.space)
        else { return nil }
        stamp = LineStamp(
            date: CalendarDate(year: year, month: month, day: day), seconds: clock.seconds, resolution: .second)
        text = scanner.rest
    }

    /// Nil for a line that bip does not write.
    var content: IRCLine? {
        if let event = text.after("-!- ") { return Self.event(event) ?? .system(event) }
        guard let said = text.after("< ") ?? text.after("> ") else { return nil }
        if let action = said.after("* ") {
            let who = action.prefix { $0 != Byte.space }
            return Self.nick(who).map { IRCLine(.action, $0, LogText(action[who.endIndex...].dropFirst())) }
        }
        // An address has colons only after the `@`, as IPv6 does.
        guard let end = said.range(of: ": ") ?? (said.last == Byte.colon ? said.endIndex - 1..<said.endIndex : nil),
            !said[..<end.lowerBound].contains(Byte.space), let nick = Self.nick(said[..<end.lowerBound])
        else { return nil }
        return IRCLine(.message, nick, LogText(said[end.upperBound...]))
    }

    /// Returns the channels of joins and modes.
    static func rooms(in beginning: [UInt8]) -> [String] {
        var rooms: [String] = []
        for line in IRCLog.eachLine(of: beginning) {
            guard let event = BipLine(line)?.text.after("-!- ") else { continue }
            let place = event.after("mode/") ?? event.parted(by: " has joined ")?.right
            guard let name = place?.prefix(while: { $0 != Byte.space }), name.isChannelName else { continue }
            let room = LogText(name).string
            if !rooms.contains(room) { rooms.append(room) }
            if rooms.count == 100 { break }
        }
        return rooms
    }

    private static func nick(_ mask: ArraySlice<UInt8>) -> LogText? { IRCLine.nick(mask.prefix { $0 != Byte.bang }) }

    /// Reads `alice!~alice@host has joined #example`, `… has left #example [why]`, `… has quit [why]`, `bob has been kicked
    /// by alice!~alice@host [why]`, `alice!~alice@host changed topic of #example to: words`, `mode/#example [+o bob] by
    /// alice!~alice@host` and `alice is now known as bob`.
    private static func event(_ text: ArraySlice<UInt8>) -> IRCLine? {
        if let rest = text.after("mode/"), let (_, mode) = rest.parted(by: " ["), let by = mode.lastRange(of: "] by ") {
            return nick(mode[by.upperBound...]).map { IRCLine(.mode, $0, LogText(mode[..<by.lowerBound])) }
        }
        guard let (who, rest) = text.parted(by: " "), let name = nick(who) else { return nil }
        if rest.starts(with: "has joined ") { return IRCLine(.join, name) }
        if rest.starts(with: "has left ") || rest.starts(with: "has quit ") {
            return IRCLine(.leave, name, rest.parted(by: " [").map { LogText($0.right.unwrapped("", "]")) })
        }
        if let (by, why) = rest.after("has been kicked by ")?.parted(by: " [") {
            return nick(by).map { IRCLine.kick(name, $0, why.unwrapped("", "]")) }
        }
        if let (_, topic) = rest.after("changed topic of ")?.parted(by: " to: ") {
            return IRCLine(.topic, name, LogText(topic))
        }
        return rest.after("is now known as ").flatMap(nick).map { IRCLine(.rename, name, $0) }
    }
}
