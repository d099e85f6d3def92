import Bytes
import ChatModel

/// The logs of the IRC clients HexChat and XChat: `Nov 21 06:23:11 <alice>`, a tab, the text.
///
/// Months are in the user's language. Only `**** BEGIN LOGGING AT Sat Nov 21 06:23:11 2026` gives the year of the lines
/// after it; its words are in the user's language, and its time is in English.
package struct HexChatFormat: LogFormat {
    package static let name = "hexchat"
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true
    package static let isOfIRC = true

    private let room: IRCLog.Room
    private var clock: LogClock
    private var year: HexChatYear?

    package static func recognises(_ source: LogSource) -> Bool {
        begins(source)
            || IRCLog.lines(of: source.beginning, first: 20).contains { line in
                var rest = line
                return HexChatStamp(taking: &rest) != nil && HexChatLine.isCharacteristic(rest)
            }
    }

    /// Returns true if the first line marks the beginning of logging.
    static func begins(_ source: LogSource) -> Bool {
        IRCLog.lines(of: source.beginning, first: 20).first { !$0.isBlank }.flatMap(loggingTime) != nil
    }

    /// - Throws: ``LogSourceError`` if no room or no date can be found.
    package init(_ source: LogSource) throws(LogSourceError) {
        let lines = IRCLog.lines(of: source.beginning)
        let day = LocalDay(named: source.name, zone: source.zone)
        let hasDay = lines.contains { line in
            var line = line
            return Self.loggingTime(line) != nil || LineStamp(taking: &line, brackets: .optional)?.date != nil
        }
        guard day != nil || hasDay else { throw .noDate }
        guard let room = source.room.map({ IRCLog.Room(name: $0) }) ?? Self.room(of: source, lines) else {
            throw .noRoom
        }
        self.room = IRCLog.Room(name: room.name.withoutNUL, isDirect: room.isDirect)
        clock = LogClock(day: day, zone: source.zone, now: source.now)
    }

    package var assumptions: [String] { clock.assumptions }

    package mutating func read(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        if let time = Self.loggingTime(line.bytes) {
            clock.begin(time.date)
            year = HexChatYear(time.date)
            return .nothing
        }
        var rest = line.bytes
        let dated = HexChatStamp(taking: &rest)
        let plain = dated == nil ? LineStamp(taking: &rest, brackets: .optional) : nil
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard dated != nil || plain != nil, let content = HexChatLine.content(rest) else {
            return .unreadable("not a valid hexchat line")
        }
        guard let stamp = plain ?? dated.flatMap({ year?.stamp($0) }) else {
            return .unreadable("no earlier line gives its year")
        }
        guard let time = clock.read(stamp, line: line.number) else {
            return .unreadable(stamp.date == nil ? "no earlier line gives its date" : "its date does not exist")
        }
        return .message(content.message(in: room, at: time))
    }

    /// Returns the time of `**** BEGIN LOGGING AT Sat Nov 21 06:23:11 2026` or `**** ENDING LOGGING AT …`, in any
    /// language.
    static func loggingTime(_ line: ArraySlice<UInt8>) -> CTime? {
        line.starts(with: "**** ") ? CTime(line.suffix(CTime.length)) : nil
    }

    /// Returns the channel in the file's name, its folder's name or the lines. Without one, returns the other person of
    /// a conversation or the network's own window, if the file is in a network's folder.
    private static func room(of source: LogSource, _ lines: [ArraySlice<UInt8>]) -> IRCLog.Room? {
        let channel =
            RoomName.inFileName(source.name) ?? RoomName.inFolders(source.folders)
            ?? lines.lazy.compactMap(HexChatLine.joinedChannel).first
        if let channel { return IRCLog.Room(name: channel) }
        let stem = RoomName.stem(of: source.name)
        guard let network = NetworkName.plausible(source.folders.last), !stem.isEmpty else { return nil }
        return IRCLog.Room(name: stem, isDirect: stem.lowercased() != network.lowercased())
    }

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

/// The time that a line begins with: `Nov 21 06:23:11 `, in any of the languages of ``MonthName``.
struct HexChatStamp: Hashable {
    let month: Int
    let day: Int
    let clock: ClockTime

    /// Takes the time and the space after it. Nil if the line does not begin with a time; the line is unchanged in that
    /// case.
    init?(taking line: inout ArraySlice<UInt8>) {
        // The longest month in the table has ten bytes.
        let word = line.prefix(16).prefix { $0 != Byte.space }
        guard word.count < 16, let first = word.first, first > Byte.space,
            let month = MonthName.number(word)
        else { return nil }
        var scanner = ByteScanner(line[word.endIndex...])
        guard scanner.take(Byte.space),
            let day = scanner.take(Byte.space) ? scanner.number(of: 1) : scanner.number(of: 2),
            scanner.take(Byte.space), let clock = scanner.clock(), scanner.take(Byte.space)
        else { return nil }
        (self.month, self.day, self.clock) = (month, day, clock)
        line = scanner.rest
    }
}

/// The year of the lines of a log, which have only month and day.
struct HexChatYear: Sendable {
    private var year: Int
    private var month: Int

    init(_ date: CalendarDate) {
        (year, month) = (date.year, date.month)
    }

    /// Returns the stamp with its date: of the last year, the year before and the year after, the one in which the
    /// month is nearest to the last one.
    mutating func stamp(_ stamp: HexChatStamp) -> LineStamp {
        var year = year
        if stamp.month <= month - 6 { year += 1 } else if stamp.month > month + 6 { year -= 1 }
        // A line that comes late, such as a bouncer's, does not change the year of the lines after it.
        if (year, stamp.month) > (self.year, month) { (self.year, month) = (year, stamp.month) }
        return LineStamp(
            date: CalendarDate(year: year, month: stamp.month, day: stamp.day), seconds: stamp.clock.seconds,
            resolution: stamp.clock.second == nil ? .minute : .second)
    }
}
