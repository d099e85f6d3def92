import Bytes
import ChatModel

/// The logs of the IRC client mIRC: `[06:23] <alice> hi`, `[06:23] * alice waves`, `[06:23] * Now talking in #example`.
///
/// `Session Start: Sat Nov 21 06:23:11 2026` and `Session Time: …` give the day of the lines after them, `Session
/// Ident: #example` their room. Up to version 5, events began with three stars.
package struct MIRCFormat: LogFormat {
    package static let name = "mirc"
    package static let programs = "mIRC"
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true
    package static let isOfIRC = true

    private var room: IRCLog.Room
    private let isRoomGiven: Bool
    private var clock: LogClock
    /// The beginning of the session, until a line has a time; for lines without one.
    private var session: LineStamp?
    private var untimed = LineCount()
    /// True after a line with the day, so that the dates of times count for nothing.
    private var hasSessions = false

    /// Recognises a file that begins with a session, or an IRC log with an event as only mIRC writes it.
    package static func recognises(_ source: LogSource) -> Bool {
        let lines = IRCLog.eachLine(of: source.beginning)
        guard let first = lines.first(where: { !$0.isBlank }) else { return false }
        if MIRCSessionLine(first) != nil { return true }
        // Trillian's sessions have names: `Session Start (ICQ - alice:bob): …`.
        if first.prefix(Self.maximumMark).range(of: "sion Start (") != nil { return false }
        let isLog = IRCLog.lines(of: source.beginning, first: 20).contains { line in
            var rest = MIRCLine.unpainted(line)
            return LineStamp(taking: &rest, brackets: .optional) != nil && MIRCLine.content(rest, isTimed: false) != nil
        }
        guard isLog, IrssiDateLine(first) == nil else { return false }
        let hasSessions = source.beginning[...].range(of: "Session ") != nil
        if hasSessions, lines.contains(where: { MIRCSessionLine(MIRCLine.unpainted($0)) != nil }) { return true }
        let kinds = MIRCLine.Events(in: source.name)
        return lines.contains { MIRCLine.isCharacteristic($0, among: kinds) }
            && !lines.contains { MIRCLine.isOfOtherProgram($0) }
    }

    /// The length of `Session Start (`.
    private static let maximumMark = 15

    /// - Throws: ``LogSourceError`` if no room or no date can be found.
    package init(_ source: LogSource) throws(LogSourceError) {
        let day = LocalDay(named: source.name, zone: source.zone)
        guard day != nil || Self.hasDay(source) else { throw .noDate }
        guard let room = source.room.map({ IRCLog.Room(name: $0) }) ?? Self.room(of: source) else { throw .noRoom }
        self.room = room
        isRoomGiven = source.room != nil
        clock = LogClock(day: day, zone: source.zone, now: source.now)
    }

    package var assumptions: [String] {
        clock.assumptions
            + [untimed.sentence("lines without a time, which get the time of the line before them")].compactMap(\.self)
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        var rest = MIRCLine.unpainted(line.bytes)
        guard !rest.isBlank else { return .nothing }
        if let session = MIRCSessionLine(rest) { return begin(session) }
        var stamp = LineStamp(taking: &rest, brackets: .optional)
        if stamp == nil, hasSessions { stamp = LineStamp(takingClockOf: &rest) }
        let known = stamp.map { time(of: $0, line: line.number) } ?? untimedTime(line: line.number)
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        rest = MIRCLine.unpainted(rest)
        if MIRCLine.isRule(rest) { return .nothing }
        guard let content = MIRCLine.content(rest, isTimed: stamp != nil) else {
            return .unreadable("not a valid mirc line")
        }
        guard let time = known else {
            return .unreadable(stamp?.date == nil ? "no earlier line gives its date" : "its date does not exist")
        }
        if stamp == nil { untimed.note(line.number) }
        return .message(content.message(in: room, at: time))
    }

    private mutating func begin(_ line: MIRCSessionLine) -> ParsedLine {
        switch line {
        case .time(nil):
            clock.begin(nil)
            session = nil
            return .unreadable("can't read its date")
        case .time(let time?):
            hasSessions = true
            clock.begin(time.date)
            session = LineStamp(
                date: time.date, seconds: time.clock.hour * 3600 + time.clock.minute * 60, resolution: .minute)
        case .room(let room):
            if !isRoomGiven { self.room = room }
        case .end: break
        }
        return .nothing
    }

    private mutating func time(of stamp: LineStamp, line: Int) -> LineTime? {
        session = nil
        return clock.resolve(stamp, line: line)
    }

    /// Returns the time of the line before, or of the session's beginning if no line of the session has a time.
    private mutating func untimedTime(line: Int) -> LineTime? {
        session.map { time(of: $0, line: line) } ?? clock.last
    }

    private static func hasDay(_ source: LogSource) -> Bool {
        IRCLog.lines(of: source.beginning).contains { line in
            var line = MIRCLine.unpainted(line)
            if case .time? = MIRCSessionLine(line) { return true }
            return LineStamp(taking: &line, brackets: .optional)?.date != nil
        }
    }

    /// Returns the room of the first session; else the channel in the name of the file or its folder; else the first
    /// channel that was joined.
    private static func room(of source: LogSource) -> IRCLog.Room? {
        let lines = IRCLog.lines(of: source.beginning)
        if let room = sessionRoom(in: lines) { return room }
        if let named = RoomName.inFileName(source.name) {
            // `#example.libera` in `#example.libera.20261121.log`, where the lines name the room.
            let joined =
                named.contains(".")
                ? lines.lazy.compactMap(MIRCLine.joinedChannel).first {
                    named.lowercased().hasPrefix($0.lowercased() + ".")
                } : nil
            return IRCLog.Room(name: joined ?? named)
        }
        let channel = RoomName.inFolders(source.folders) ?? lines.lazy.compactMap(MIRCLine.joinedChannel).first
        return channel.map { IRCLog.Room(name: $0) }
    }

    private static func sessionRoom(in lines: [ArraySlice<UInt8>]) -> IRCLog.Room? {
        for line in lines {
            if case .room(let room)? = MIRCSessionLine(MIRCLine.unpainted(line)) { return room }
        }
        return nil
    }

    /// Returns `libera` for `logs/libera/#example.log` and, if the file's session is of `#example`, for
    /// `#example.libera.20261121.log`.
    package static func accountName(in source: LogSource) -> String? {
        let stem = RoomName.stem(of: source.name)
        if let room = sessionRoom(in: IRCLog.lines(of: source.beginning))?.name, stem.hasPrefix(room + ".") {
            return NetworkName.plausible(String(stem.dropFirst(room.count + 1)))
        }
        return NetworkName.plausible(source.folders.last { !RoomName.isChannel($0) })
    }
}

/// A line about a session of logging.
enum MIRCSessionLine {
    /// `Session Start: Sat Nov 21 06:23:11 2026`, `Session Time: …`; nil if the time can't be read.
    case time(CTime?)
    /// `Session Ident: #example`, `Session Ident: alice (~alice@host)`.
    case room(IRCLog.Room)
    /// `Session Close: Sat Nov 21 07:00:00 2026`
    case end

    init?(_ line: ArraySlice<UInt8>) {
        guard line.starts(with: "Session "), let (title, value) = line.parted(by: ": ") else { return nil }
        switch String(decoding: title.dropFirst("Session ".utf8.count), as: UTF8.self) {
        case "Start", "Time": self = .time(CTime(value.trimmed))
        case "Ident":
            // A DCC chat's window is called `=alice`.
            let name = value.trimmed.prefix { $0 != Byte.space }
            let isChat = name.first == Byte.equals
            let text = LogText(isChat ? name.dropFirst() : name).string
            guard !text.isEmpty else { return nil }
            self = .room(
                IRCLog.Room(name: text, isDirect: !RoomName.isChannel(text) && text.lowercased() != "status"))
        case "Close": self = .end
        // One file for several windows: `Session Close (#example): …`.
        case let title where title.hasPrefix("Close ("): self = .end
        default: return nil
        }
    }
}
