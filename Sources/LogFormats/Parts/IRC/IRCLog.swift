import Bytes
import ChatModel

/// A log of one room of IRC, one event a line, each after its time of day: the common part of irssi, ZNC and
/// energymech.
struct IRCLog: Sendable {
    /// The room to which the log belongs.
    struct Room: Sendable, Hashable {
        let name: String
        let isDirect: Bool

        init(name: String, isDirect: Bool = false) { (self.name, self.isDirect) = (name.withoutNUL, isDirect) }

        var kind: RoomReference.Kind { isDirect ? .direct : .channel }
    }

    static let maximumLine = UnreadableLine.maximumPayload

    private let formatName: String
    private let brackets: LineStamp.Brackets
    private let room: Room
    private let options: Options
    /// The form of messages in a log with another theme; nil for the usual form.
    private let theme: IRCTheme?
    /// The nick of the log's own person, where lines tell it; Circe writes `> hi` for their messages.
    private var ownNick: LogText?
    private var clock: LogClock
    /// The time for lines before the first line with a time.
    private var first: LineTime?

    /// The sender of one's own messages where no line tells the nick. No nick is like it (RFC 2812 §2.3.1).
    static let ownMark = ">"

    struct Options: OptionSet, Sendable {
        let rawValue: UInt8
        /// Lines give the days.
        static let dateLines = Options(rawValue: 1)
        /// Events have no mark.
        static let bareEvents = Options(rawValue: 2)
        /// A message begins with `< alice>` or `<@alice>`. `<alice>` is another line of the message before it.
        static let paddedNames = Options(rawValue: 4)
        /// IRCCloud wrote the log. Its kicks, modes and topics begin with a star, like actions.
        static let cloud = Options(rawValue: 8)
        /// One's own messages begin with `>`, also where no line tells the nick.
        static let ownMarks = Options(rawValue: 16)
    }

    /// - Parameter firstDay: The day of the first lines, if the file's name has none.
    /// - Throws: ``LogSourceError/noDate`` if neither the file's name nor its beginning has a date.
    init(
        _ source: LogSource, format: String, brackets: LineStamp.Brackets, room: Room, options: Options = [],
        theme: IRCTheme? = nil, firstDay: CalendarDate? = nil
    ) throws(LogSourceError) {
        let hasDateLines = options.contains(.dateLines)
        let day =
            LocalDay(named: source.name, zone: source.zone) ?? firstDay.flatMap { LocalDay($0, zone: source.zone) }
        let stamp = Self.firstStamp(in: source.beginning, brackets: brackets)
        guard day != nil || hasDateLines || stamp?.date != nil else { throw .noDate }
        formatName = format
        self.brackets = brackets
        self.room = room
        self.options = options
        self.theme = theme
        ownNick = Self.ownNick(in: source.beginning)
        clock = LogClock(day: day, zone: source.zone, now: source.now)
        if !hasDateLines { first = Self.firstTime(in: source, brackets: brackets, clock) }
    }

    /// Begins the day that a line names; nil for a date that can't be read.
    mutating func begin(_ date: CalendarDate?) {
        clock.begin(date)
    }

    var assumptions: [String] { clock.assumptions }

    mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        var rest = line.bytes
        var stamp = LineStamp(taking: &rest, brackets: brackets)
        if stamp == nil, options.contains(.dateLines) { stamp = LineStamp(takingClockOf: &rest) }
        let known = stamp.map { clock.resolve($0, line: line.number) } ?? clock.last ?? first
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard let content = self.content(rest, stamp) else { return .unreadable("not a valid \(formatName) line") }
        guard let time = known else {
            return .unreadable(
                stamp?.date == nil ? "no earlier line gives its date" : "its date does not exist")
        }
        return .message(content.message(in: room, at: time))
    }

    private static let ownText = LogText(Array(ownMark.utf8)[...])

    private mutating func content(_ line: ArraySlice<UInt8>, _ stamp: LineStamp?) -> IRCLine? {
        if let text = line.after("> "), let own = ownNick ?? (options.contains(.ownMarks) ? Self.ownText : nil) {
            return IRCLine(.message, own, LogText(text))
        }
        if options.contains(.paddedNames), line.first == UInt8(ascii: "<"), !IRCLine.isPadded(line) {
            return .system(line)
        }
        if options.contains(.cloud), IRCArrows.mayBeEventOfCloud(line) { return .system(line.dropFirst(2)) }
        if stamp != nil, let message = theme?.message(line) { return message }
        if let nick = IRCDialects.ownNick(line) {
            defer { ownNick = nick }
            if let ownNick { return IRCLine(.rename, ownNick, nick) }
        }
        return IRCLine(
            line, isTimed: stamp != nil, isBare: options.contains(.bareEvents) || stamp?.offset != nil)
    }
}

extension IRCLog {
    /// Returns the lines of a file's beginning, without its byte order mark and without empty lines.
    ///
    /// - Parameter count: The limit of lines to return.
    static func lines(of beginning: [UInt8], first count: Int = LogSource.beginningSize) -> [ArraySlice<UInt8>] {
        Array(eachLine(of: beginning).prefix(count))
    }

    /// Returns the same lines, each cut when it is requested.
    static func eachLine(of beginning: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
        let bytes = beginning.starts(with: [0xEF, 0xBB, 0xBF]) ? beginning[3...] : beginning[...]
        return sequence(state: bytes) { rest -> ArraySlice<UInt8>? in
            rest = rest.drop { $0 == Byte.lineFeed }
            guard !rest.isEmpty else { return nil }
            let line = rest[..<(rest.index(of: Byte.lineFeed) ?? rest.endIndex)]
            rest = rest[line.endIndex...]
            return line.last == Byte.carriageReturn ? line.dropLast() : line
        }
    }

    /// Returns true if one of the first lines has a time in brackets and the content of an IRC log.
    static func isBracketed(_ source: LogSource) -> Bool {
        lines(of: source.beginning, first: 20).contains { line in
            var rest = line
            guard let stamp = LineStamp(taking: &rest, brackets: .required) else { return false }
            return IRCLine(rest, isTimed: false, isBare: stamp.offset != nil) != nil
        }
    }

    /// Returns the first plausible time; the beginning of the day when there is none.
    private static func firstTime(
        in source: LogSource, brackets: LineStamp.Brackets, _ clock: LogClock
    ) -> LineTime? {
        func time(_ stamp: LineStamp) -> LineTime? {
            var copy = clock
            return copy.resolve(stamp, line: 0)
        }
        for var line in eachLine(of: source.beginning) {
            guard let stamp = LineStamp(taking: &line, brackets: brackets), let time = time(stamp) else { continue }
            if time.time.isPlausible(at: source.now) { return time }
        }
        return time(LineStamp(seconds: 0, resolution: .minute))
    }

    static func firstStamp(in beginning: [UInt8], brackets: LineStamp.Brackets) -> LineStamp? {
        for var line in eachLine(of: beginning) {
            if let stamp = LineStamp(taking: &line, brackets: brackets) { return stamp }
        }
        return nil
    }

    /// The words before a room, one of which each line that names a room has; see ``IRCLine/room(_:)``.
    private static let roomWords = [" has joined ", " arrives in ", "mode/", "[topic/"]

    /// Returns the rooms of the joins, modes and topics, each once.
    static func rooms(in beginning: [UInt8], brackets: LineStamp.Brackets) -> [String] {
        var rooms: [String] = []
        for var line in eachLine(of: beginning) where roomWords.contains(where: { line.range(of: $0) != nil }) {
            let stamp = LineStamp(taking: &line, brackets: brackets)
            let text = IRCLine.afterMark(line) ?? (stamp?.offset == nil ? nil : line)
            guard let room = text.flatMap(IRCDialects.room), !rooms.contains(room) else { continue }
            rooms.append(room)
            // A log of one room names few others.
            if rooms.count == 100 { break }
        }
        return rooms
    }

    /// Returns the nick of the log's own person at the beginning of Circe's log: of the join before the names.
    private static func ownNick(in beginning: [UInt8]) -> LogText? {
        var joined: LogText?
        for var line in eachLine(of: beginning).prefix(20) {
            _ = LineStamp(taking: &line, brackets: .required)
            if line.starts(with: "*** Names: ") { return joined }
            joined = line.starts(with: "*** Join: ") ? IRCLine(line, isTimed: true)?.sender : nil
        }
        return nil
    }
}
