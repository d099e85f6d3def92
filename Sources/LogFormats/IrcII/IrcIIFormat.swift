import Bytes
import ChatModel

/// The logs of the IRC client ircII and of its descendants EPIC5 and ScrollZ: one file for all rooms, whose lines have no
/// times (ircII 20210328, EPIC5 2.1, ScrollZ 2.2).
///
/// `IRC log started Sat Nov 21 06:23:11 2026` gives the time of all lines after it; ircII and ScrollZ write no year. A
/// line belongs to the room that it names, else to the room that one's own person joined last.
package struct IrcIIFormat: LogFormat {
    package static let name = "ircii"
    package static let programs = "ircII, EPIC5, ScrollZ"
    package static let isOfIRC = true
    package static let maximumLine = IRCLog.maximumLine
    package static let hasLocalTimes = true
    package static let ownerWords = [IRCLog.ownMark]

    private let room: String?
    private let zone: Zone
    private let now: Timestamp
    private var rooms = IrcIIRooms()
    private var order: LineOrder
    private var timed = LineCount()
    private var yearless = LineCount()

    package static func recognises(_ source: LogSource) -> Bool {
        IRCLog.eachLine(of: source.beginning).first { !$0.isBlank }.flatMap(IrcIIStart.init) != nil
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        (room, zone, now) = (source.room?.withoutNUL, source.zone, source.now)
        order = LineOrder(now: source.now)
    }

    package var assumptions: [String] {
        [
            timed.sentence("lines without a time, each of which gets the time at which its session began"),
            yearless.sentence("sessions without a year, read as the last year that has their weekday"),
        ].compactMap(\.self) + order.assumptions
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard !line.bytes.isBlank else { return .nothing }
        if let start = IrcIIStart(line.bytes) { return begin(start, line.number) }
        if line.bytes.starts(with: "IRC log ended ") { return .nothing }
        guard !line.isCut else { return .unreadable("longer than \(Self.maximumLine) bytes") }
        guard let time = order.last else { return .unreadable("no earlier line gives its date") }
        let read = IrcIILine(line.bytes)
        defer { rooms.note(read) }
        guard let room = place(of: read) else { return .unreadable("no earlier line gives its room; --room does") }
        timed.note(line.number)
        return .message(read.content(by: rooms.ownNick).message(in: room, at: time))
    }

    /// Begins a session. A line never has an earlier time than the line before, see ``LineOrder``.
    private mutating func begin(_ start: IrcIIStart, _ line: Int) -> ParsedLine {
        guard let day = start.day(in: zone, now: now) else { return .unreadable("can't read its date") }
        let stamp = LineStamp(seconds: start.clock.hour * 3600 + start.clock.minute * 60, resolution: .minute)
        if start.year == nil { yearless.note(line) }
        _ = order.settle(day, stamp, line: line)
        rooms = IrcIIRooms()
        return .nothing
    }

    /// The room of the client's own messages.
    private static let status = "status"

    private func place(of line: IrcIILine) -> IRCLog.Room? {
        switch line.place {
        case .room(let name): IRCLog.Room(name: name)
        case .person(let name): IRCLog.Room(name: name, isDirect: true)
        case .program: IRCLog.Room(name: Self.status)
        case .current: (room ?? rooms.current).map { IRCLog.Room(name: $0) }
        case .roomOf(let person): (room ?? rooms.room(of: person)).map { IRCLog.Room(name: $0) }
        }
    }
}

/// `IRC log started Sat Nov 21 06:23[:11[ 2026]]`
struct IrcIIStart {
    let year: Int?
    let clock: ClockTime
    private let weekday: Int
    private let month: Int
    private let dayOfMonth: Int

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    init?(_ line: ArraySlice<UInt8>) {
        guard let text = line.after("IRC log started "), text.count > 10,
            // 1970-01-01 was a Thursday.
            let weekday = Self.weekdays.firstIndex(where: { text.starts(with: $0) }),
            let month = MonthName.number(text.dropFirst(4).prefix(3))
        else { return nil }
        var scanner = ByteScanner(text.dropFirst(7))
        guard scanner.take(Byte.space),
            let day = scanner.take(Byte.space) ? scanner.number(of: 1) : scanner.number(of: 2),
            scanner.take(Byte.space), let clock = scanner.clock()
        else { return nil }
        year = scanner.take(Byte.space) ? scanner.number(of: 4) : nil
        guard scanner.rest.isBlank else { return nil }
        (self.weekday, self.month, dayOfMonth, self.clock) = (weekday, month, day, clock)
    }

    /// Returns the day; without a year, that of the last year until `now` in which the day has its weekday. Nil for a day
    /// that is not in the calendar.
    func day(in zone: Zone, now: Timestamp) -> LocalDay? {
        if let year { return LocalDay(CalendarDate(year: year, month: month, day: dayOfMonth), zone: zone) }
        let latest = CalendarDate(daysSince1970: Int(min(now.microseconds, Self.lastTime) / 86_400_000_000) + 1)
        // A weekday comes back after 40 years at the latest, for the 29th of February around a year such as 1900.
        return (0..<40).lazy.map { CalendarDate(year: latest.year - $0, month: month, day: dayOfMonth) }
            .first { date in
                guard let days = date.daysSince1970, let limit = latest.daysSince1970, days >= 0 else { return false }
                return days <= limit && days % 7 == weekday
            }
            .flatMap { LocalDay($0, zone: zone) }
    }

    /// 2100-01-01 UTC, for a caller without a clock.
    private static let lastTime: Int64 = 4_102_444_800_000_000
}

/// What a session's lines tell of the rooms.
struct IrcIIRooms: Sendable {
    /// The limit of names that are kept in a session.
    private static let maximumCount = 100_000
    /// The limit of rooms that are kept: networks allow 20 to 250 (`CHANLIMIT`).
    private static let maximumRooms = 250

    private(set) var ownNick: LogText?
    /// The rooms of one's own person, the newest last.
    private var joined: [String] = []
    private var members: [String: Set<String>] = [:]
    private var count = 0
    /// True after a line that only a person in a room sees: a join after it is another person's.
    private var isInRoom = false

    /// The room in which one's own messages are: the one that was joined last.
    var current: String? { joined.last }

    /// Returns the current room if the person is in it, else another room of the person, else the current room.
    func room(of person: String) -> String? {
        if let current, members[current]?.contains(person) ?? false { return current }
        return joined.last { members[$0]?.contains(person) ?? false } ?? current
    }

    mutating func note(_ line: IrcIILine) {
        if let (room, names) = line.members { for name in names { add(name, to: room) } }
        if let event = line.event, let name = event.sender { note(event, by: name, in: line.room) }
        isInRoom = isInRoom || line.room != nil || line.place == .current
    }

    private mutating func note(_ event: IRCLine, by name: LogText, in room: String?) {
        switch (event.kind, room) {
        case (.join, let room?):
            // The first join is one's own: nobody else's can be seen before it.
            if ownNick == nil, !isInRoom { ownNick = name }
            if name.string == ownNick?.string {
                joined = joined.filter { $0 != room }.suffix(Self.maximumRooms) + [room]
            }
            add(name.string, to: room)
        case (.leave, let room?): remove(name.string, from: room)
        case (.leave, nil): for room in members.keys { members[room]?.remove(name.string) }
        case (.kick, let room?):
            if let victim = event.body?.string.prefix(while: { $0 != ":" }) { remove(String(victim), from: room) }
        case (.rename, _):
            if let new = event.body { rename(name.string, to: new) }
        default: break
        }
    }

    private mutating func rename(_ name: String, to new: LogText) {
        if name == ownNick?.string { ownNick = new }
        for (room, names) in members where names.contains(name) {
            members[room]?.remove(name)
            members[room]?.insert(new.string)
        }
    }

    private mutating func remove(_ name: String, from room: String) {
        members[room]?.remove(name)
        if name == ownNick?.string { joined.removeAll { $0 == room } }
    }

    private mutating func add(_ name: String, to room: String) {
        guard count < Self.maximumCount, members[room] != nil || members.count < Self.maximumRooms else { return }
        count += 1
        members[room, default: []].insert(name)
    }
}
