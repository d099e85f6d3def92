import Bytes
package import ChatModel

/// The logs of the IRC bot eggdrop: `[06:23:11] <alice> hi`, `[06:23:11] Action: alice waves`, `[06:23] alice (~alice@host)
/// joined #example.` (1.6 to 1.9).
///
/// `[00:00:00] --- Sun Nov 22 2026` begins each day except the first, which is the day before the first such line, or in
/// the file's name.
package struct EggdropFormat: LogFormat {
    package static let name = "eggdrop"
    package static let programs = "eggdrop"
    package static let isOfIRC = true
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true

    private let room: IRCLog.Room
    private let isRoomGiven: Bool
    private var clock: LogClock

    package static func recognises(_ source: LogSource) -> Bool {
        let lines = IRCLog.eachLine(of: source.beginning)
        guard let first = lines.first(where: { !$0.isBlank }), EggdropLine(first) != nil else { return false }
        return lines.contains { EggdropLine($0)?.isCharacteristic ?? false }
    }

    package static func survey(now: Timestamp) -> (any LogSurvey)? { EggdropDays() }

    /// - Throws: ``LogSourceError`` if neither a line nor the name has a date, or nothing names the channel.
    package init(_ source: LogSource) throws(LogSourceError) {
        var days = source.survey as? EggdropDays ?? EggdropDays()
        for line in IRCLog.eachLine(of: source.beginning) where !days.isComplete { days.inspectLine(line) }
        let named = NamedDate(in: source.name)?.date
        guard let day = days.dayBefore ?? named, let first = LocalDay(day, zone: source.zone) else { throw .noDate }
        guard let room = Self.room(of: source) else { throw .noRoom }
        self.room = IRCLog.Room(name: room)
        isRoomGiven = source.room != nil
        clock = LogClock(day: first, zone: source.zone, now: source.now)
    }

    package var assumptions: [String] { clock.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        guard let read = EggdropLine(line.bytes) else { return .unreadable("not a valid eggdrop line") }
        if let date = read.date {
            clock.begin(date)
            return .nothing
        }
        let time = clock.resolve(read.stamp, line: line.number)
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard let time else { return .unreadable("no earlier line gives its date") }
        if let (content, person) = read.private {
            return .message(content.message(in: IRCLog.Room(name: person, isDirect: true), at: time))
        }
        // The bot's own log has events of all channels.
        let named = isRoomGiven ? nil : read.room.map { IRCLog.Room(name: $0) }
        return .message(read.content.message(in: named ?? room, at: time))
    }

    /// Returns the only channel that the lines name, else the file's name.
    private static func room(of source: LogSource) -> String? {
        if let room = source.room { return room }
        var rooms: [String] = []
        for line in IRCLog.eachLine(of: source.beginning) {
            guard let room = EggdropLine(line)?.room, !rooms.contains(room) else { continue }
            rooms.append(room)
            if rooms.count > 1 { break }
        }
        if rooms.count == 1 { return rooms[0] }
        let stem = RoomName.stem(of: source.name)
        return RoomName.inStem(stem) ?? (stem.isEmpty ? nil : stem)
    }
}

/// The first date in a log.
struct EggdropDays: LogSurvey {
    private var first: CalendarDate?

    var isComplete: Bool { first != nil }

    mutating func inspectLine(_ line: ArraySlice<UInt8>) {
        if first == nil { first = EggdropLine(line)?.date }
    }

    /// The day before the first date; nil without one.
    var dayBefore: CalendarDate? {
        first?.daysSince1970.map { CalendarDate(daysSince1970: $0 - 1) }
    }
}
