import Bytes
import ChatModel

/// The logs of the IRC clients HexChat and XChat: `Nov 21 06:23:11 <alice>`, a tab, the text.
///
/// Months are in the user's language. Only `**** BEGIN LOGGING AT Sat Nov 21 06:23:11 2026` gives the year of the lines
/// after it; its words are in the user's language, and its time is in English.
package struct HexChatFormat: LogFormat {
    package static let name = "hexchat"
    package static let programs = "HexChat, XChat"
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true
    package static let isOfIRC = true

    private let room: IRCLog.Room
    package let roomBeforeDate: String?
    private var clock: LogClock
    private var year: HexChatYear?
    /// The beginning of the session, for a line without a time.
    private var session: LineStamp?
    private var words: HexChatWords

    package static func recognises(_ source: LogSource) -> Bool {
        begins(source)
            || IRCLog.lines(of: source.beginning, first: 20).contains { line in
                var rest = line
                return HexChatStamp(taking: &rest) != nil && HexChatLine.isCharacteristic(rest)
            }
    }

    /// Returns true if the first line marks the beginning of logging.
    static func begins(_ source: LogSource) -> Bool {
        IRCLog.lines(of: source.beginning, first: 20).first { !$0.isBlank }.flatMap { CTime(ofLogging: $0) } != nil
    }

    /// - Throws: ``LogSourceError`` if no room or no date can be found.
    package init(_ source: LogSource) throws(LogSourceError) {
        let lines = IRCLog.lines(of: source.beginning)
        let day = LocalDay(named: source.name, zone: source.zone)
        let hasDay = lines.contains { line in
            var line = line
            return CTime(ofLogging: line) != nil || LineStamp(taking: &line, brackets: .optional)?.date != nil
        }
        guard day != nil || hasDay else { throw .noDate }
        guard let (room, beforeDate) = Self.room(of: source, lines) else { throw .noRoom }
        self.room = room
        roomBeforeDate = beforeDate
        words = HexChatWords(lines, isServers: Self.isServers(room))
        clock = LogClock(day: day, zone: source.zone, now: source.now)
    }

    package var assumptions: [String] { clock.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        if let time = CTime(ofLogging: line.bytes) {
            clock.begin(time.date)
            year = HexChatYear(time.date)
            let seconds = (time.clock.hour * 60 + time.clock.minute) * 60 + (time.clock.second ?? 0)
            session = LineStamp(date: time.date, seconds: seconds, resolution: .second)
            words.begin(line.bytes)
            return .nothing
        }
        var rest = line.bytes
        let dated = HexChatStamp(taking: &rest)
        let plain = dated == nil ? LineStamp(taking: &rest, brackets: .optional) : nil
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        let isAddress = dated == nil && plain == nil && session != nil && HexChatLine.isAddress(rest)
        guard dated != nil || plain != nil || isAddress,
            let content = isAddress ? .system(rest) : HexChatLine.content(rest, in: &words)
        else {
            return .unreadable("not a valid hexchat line")
        }
        guard let stamp = plain ?? dated.flatMap({ year?.stamp($0) }) ?? (isAddress ? session : nil) else {
            return .unreadable("no earlier line gives its year")
        }
        guard let time = clock.resolve(stamp, line: line.number) else {
            return .unreadable(stamp.date == nil ? "no earlier line gives its date" : "its date does not exist")
        }
        return .message(content.message(in: room, at: time))
    }

    /// Returns the channel in the file's name, its folder's name or the lines, and its name if it stands before a date
    /// in the file's name. Without a channel, returns the other person of a conversation or the network's own window, if the file is in a network's
    /// folder.
    private static func room(
        of source: LogSource, _ lines: [ArraySlice<UInt8>]
    ) -> (room: IRCLog.Room, beforeDate: String?)? {
        if let room = source.room { return (IRCLog.Room(name: room), nil) }
        let joined = lines.lazy.compactMap(HexChatLine.joinedChannel).first.map { [$0] } ?? []
        if let named = NamedRoom(in: source, joined: joined, room: RoomName.inStem) {
            return (IRCLog.Room(name: named.name), named.nameBeforeDate)
        }
        if let channel = RoomName.inFolders(source.folders) ?? joined.first {
            return (IRCLog.Room(name: channel), nil)
        }
        guard let network = NetworkName.plausible(source.folders.last { $0.contains(where: \.isLetter) }),
            let named = NamedRoom(in: source, joined: [], room: RoomName.person)
        else { return nil }
        // HexChat 2.16.1 writes `server.log` before it knows the network's name.
        let isOfPerson = ![network.lowercased(), "server"].contains(named.name.lowercased())
        return (IRCLog.Room(name: named.name, isDirect: isOfPerson), named.nameBeforeDate)
    }

    /// HexChat 2.16.1; on Windows it also replaces the other marks that names can't have there.
    package static func namesInFiles(of room: String) -> [String] {
        [room.replacingEach(of: "/", with: "_"), room.replacingEach(of: "/\\|<>:\"*?", with: "_")]
    }

    /// Returns true for the network's own window, in which nobody acts.
    private static func isServers(_ room: IRCLog.Room) -> Bool { !room.isDirect && !RoomName.isChannel(room.name) }

    /// Returns `libera` for `logs/libera/#example.log`, as HexChat names its logs, and for XChat's
    /// `libera-#example.log`.
    package static func accountName(in source: LogSource) -> String? {
        let before = source.name.prefix { !RoomName.isChannel(String($0)) }
        if before.count < source.name.count, before.last == "-" {
            return NetworkName.plausible(String(before.dropLast()))
        }
        return NetworkName.plausible(source.folders.last { !RoomName.isChannel($0) })
    }
}
