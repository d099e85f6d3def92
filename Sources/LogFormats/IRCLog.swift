import Bytes
import ChatModel

/// A log of one room of IRC, one event a line, each after its time of day: the common part of irssi, ZNC and
/// energymech.
struct IRCLog: Sendable {
    /// The room to which the log belongs.
    struct Room: Sendable, Hashable {
        var name: String
        var isDirect = false
    }

    static let maximumLine = UnreadableLine.maximumPayload

    private let formatName: String
    private let brackets: LineStamp.Brackets
    private let room: Room
    private var clock: LogClock
    /// The time for lines before the first line with a time.
    private var first: LineTime?

    /// - Throws: ``LogSourceError/noDate`` if neither the file's name nor its beginning has a date.
    init(
        _ source: LogSource, format: String, brackets: LineStamp.Brackets, room: Room, hasDateLines: Bool = false
    ) throws(LogSourceError) {
        let day = LocalDay(named: source.name, zone: source.zone)
        let stamp = Self.firstStamp(in: source.beginning, brackets: brackets)
        guard day != nil || hasDateLines || stamp?.date != nil else { throw .noDate }
        formatName = format
        self.brackets = brackets
        self.room = Room(name: room.name.withoutNUL, isDirect: room.isDirect)
        clock = LogClock(day: day, zone: source.zone, now: source.now)
        if !hasDateLines { first = Self.firstTime(in: source, brackets: brackets, clock) }
    }

    /// Begins the day that a line names; nil for a date that can't be read.
    mutating func begin(_ date: CalendarDate?) {
        clock.begin(date)
    }

    var assumptions: [String] { clock.assumptions }

    mutating func read(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        var rest = line.bytes
        let stamp = LineStamp(taking: &rest, brackets: brackets)
        let known = stamp.map { clock.read($0, line: line.number) } ?? clock.last ?? first
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard let content = IRCLine(rest, isTimed: stamp != nil) else {
            return .unreadable("not a valid \(formatName) line")
        }
        guard let time = known else {
            return .unreadable(
                stamp?.date == nil ? "no earlier line gives its date" : "its date does not exist")
        }
        return .message(content.message(in: room, at: time))
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
    private static func eachLine(of beginning: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
        let bytes = beginning.starts(with: [0xEF, 0xBB, 0xBF]) ? beginning[3...] : beginning[...]
        return sequence(state: bytes) { rest -> ArraySlice<UInt8>? in
            rest = rest.drop { $0 == Byte.lineFeed }
            guard !rest.isEmpty else { return nil }
            let line = rest.prefix { $0 != Byte.lineFeed }
            rest = rest[line.endIndex...]
            return line.last == Byte.carriageReturn ? line.dropLast() : line
        }
    }

    /// Returns true if one of the first lines has a time in brackets and the content of an IRC log, and HexChat did not
    /// begin the file.
    static func isBracketed(_ source: LogSource) -> Bool {
        guard !HexChatFormat.begins(source) else { return false }
        return lines(of: source.beginning, first: 20).contains { line in
            var rest = line
            return LineStamp(taking: &rest, brackets: .required) != nil && IRCLine(rest, isTimed: false) != nil
        }
    }

    /// Returns the first plausible time; the beginning of the day when there is none.
    private static func firstTime(
        in source: LogSource, brackets: LineStamp.Brackets, _ clock: LogClock
    ) -> LineTime? {
        func time(_ stamp: LineStamp) -> LineTime? {
            var copy = clock
            return copy.read(stamp, line: 0)
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

    /// Returns the room of the first join, mode or topic; nil if there is none.
    static func room(in beginning: [UInt8], brackets: LineStamp.Brackets) -> String? {
        for var line in eachLine(of: beginning) {
            _ = LineStamp(taking: &line, brackets: brackets)
            guard line.starts(with: "=== ") || line.starts(with: "-!- ") else { continue }
            let text = String(decoding: line, as: UTF8.self)
            if let match = text.firstMatch(of: /(?:has joined |mode\/|\[topic\/)([#&][^ \[\]:]+)/) {
                return String(match.1)
            }
        }
        return nil
    }
}
