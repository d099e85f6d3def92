import Bytes
import ChatModel

/// The logs of the IRC client ii, the file `out` of each channel's folder: `1795242191 <alice> hi`, seconds since 1970
/// (`ii.c` of 1.8).
///
/// `irc.example.net/#example/out`; quits and new nicks are only in the server's own file, `irc.example.net/out`.
package struct IIFormat: LogFormat {
    package static let name = "ii"
    package static let programs = "ii 1.8"
    package static let isOfIRC = true
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = false

    private let room: IRCLog.Room
    private var order: LineOrder

    package static func recognises(_ source: LogSource) -> Bool {
        let lines = IRCLog.lines(of: source.beginning, first: 20)
        guard let first = lines.first, IILine(first) != nil else { return false }
        return source.name == "out" || lines.contains { IILine($0)?.isMovement ?? false }
    }

    /// - Throws: ``LogSourceError/noRoom`` if no folder names the room.
    package init(_ source: LogSource) throws(LogSourceError) {
        guard let room = Self.room(of: source) else { throw .noRoom }
        self.room = room
        order = LineOrder(now: source.now)
    }

    package var assumptions: [String] { order.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        guard let read = IILine(line.bytes) else { return .unreadable("not a valid ii line") }
        let time = order.settle(read.time, .second, line: line.number)
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        return .message(read.content(in: room).message(in: room, at: time))
    }

    /// Returns the folder's room, written as the lines write it: ii writes `_` for every sign beyond ASCII and `/`.
    private static func room(of source: LogSource) -> IRCLog.Room? {
        if let room = source.room { return IRCLog.Room(name: room) }
        let folder = source.folders.last { $0 != "." && $0 != ".." }
        let joined = IRCLog.eachLine(of: source.beginning).lazy.compactMap { IILine($0)?.joinedRoom }.first { _ in true
        }
        guard let folder, RoomName.isChannel(folder) else {
            if let joined { return IRCLog.Room(name: joined) }
            return folder.map { IRCLog.Room(name: $0, isDirect: !isServer($0, source)) }
        }
        return IRCLog.Room(name: joined ?? source.rooms.room(inFileName: folder) ?? folder)
    }

    /// ii 1.8.
    package static func namesInFiles(of room: String) -> [String] {
        let bytes = room.utf8.map { $0 < 0x80 && $0 != Byte.slash ? $0 : UInt8(ascii: "_") }
        return [String(decoding: bytes, as: UTF8.self)]
    }

    /// Returns true for a server's own file: its folder has the name of a host, which no nick has, or its lines are in
    /// the server's words.
    private static func isServer(_ folder: String, _ source: LogSource) -> Bool {
        folder.contains(".") || folder.contains(":") || folder.first?.isNumber ?? true
            || !IRCLog.eachLine(of: source.beginning).contains { line in
                IILine(line)?.text.first.map { $0 == UInt8(ascii: "<") || $0 == Byte.dash } ?? false
            }
    }

    /// Returns `irc.example.net` for `irc.example.net/#example/out`.
    package static func accountName(in source: LogSource) -> String? {
        let folders = source.folders
        guard let last = folders.last else { return nil }
        return NetworkName.plausible(isServer(last, source) ? last : folders.dropLast().last)
    }
}

/// A line of ii: its time, and the text after it.
struct IILine {
    let time: Timestamp
    let text: ArraySlice<UInt8>

    init?(_ line: ArraySlice<UInt8>) {
        var scanner = ByteScanner(line)
        // Nine digits until 2001, ten from then on.
        let digits = scanner.take(atMost: 11, while: Byte.isDigit)
        guard (9...10).contains(digits.count), scanner.take(Byte.space) else { return nil }
        time = Timestamp(seconds: digits.reduce(0) { $0 * 10 + Int64($1 - Byte.zero) })
        text = scanner.rest
    }

    /// True for a join or a part, as only ii writes them.
    var isMovement: Bool {
        guard let event = text.after("-!- "), let (_, rest) = event.parted(by: "(") else { return false }
        return rest.range(of: ") has joined ") != nil || rest.range(of: ") has left ") != nil
    }

    var joinedRoom: String? {
        guard let (_, room) = text.after("-!- ")?.parted(by: ") has joined "), room.isChannelName else { return nil }
        return LogText(room).string
    }

    func content(in room: IRCLog.Room) -> IRCLine {
        guard let event = text.after("-!- ") else {
            guard text.first == UInt8(ascii: "<"), let said = IRCLine(text, isTimed: false) else {
                return .system(text)
            }
            return said
        }
        if room.isDirect, let words = event.after("\"") {
            return IRCLine(.notice, LogText(Array(room.name.utf8)[...]), LogText(words.unwrapped("", "\")")))
        }
        return Self.event(event) ?? .system(event)
    }

    /// Reads `alice(~alice@host) has joined #example`, `… has left #example`, `… has quit "why"`, `alice kicked bob
    /// ("why")`, `alice changed nick to bob`, `alice changed topic to "words"`, `alice changed mode/#example -> +o bob`.
    private static func event(_ text: ArraySlice<UInt8>) -> IRCLine? {
        guard let (who, rest) = text.parted(by: " "), let name = IRCLine.nick(who.prefix { $0 != UInt8(ascii: "(") })
        else { return nil }
        if rest.starts(with: "has joined ") { return IRCLine(.join, name) }
        if rest.starts(with: "has left ") { return IRCLine(.leave, name) }
        if let why = rest.after("has quit ") { return IRCLine(.leave, name, LogText(why.unwrapped("\"", "\""))) }
        if let (victim, why) = rest.after("kicked ")?.parted(by: " ("), let victim = IRCLine.nick(victim) {
            return IRCLine.kick(victim, name, why.unwrapped("\"", "\")"))
        }
        if let new = rest.after("changed nick to ").flatMap(IRCLine.nick) { return IRCLine(.rename, name, new) }
        if let topic = rest.after("changed topic to ") {
            return IRCLine(.topic, name, LogText(topic.unwrapped("\"", "\"")))
        }
        guard let (_, mode) = rest.after("changed mode/")?.parted(by: " -> ") else { return nil }
        return IRCLine(.mode, name, LogText(mode.trimmed))
    }
}
