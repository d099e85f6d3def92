import Bytes
package import ChatModel

/// The logs of the IRC client ircII and of its descendants EPIC5 and ScrollZ: one file for all rooms, whose lines have no
/// times (ircII 20210328, EPIC5 2.1, ScrollZ 2.2).
///
/// `IRC log started Sat Nov 21 06:23:11 2026` gives the time of all lines after it; ircII and ScrollZ write no year, see
/// ``IrcIISessions``. A line belongs to the room that it names, else to the room that one's own person joined last.
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
    /// The days of the sessions; empty if only the beginning of the log is known.
    private let dates: [CalendarDate?]
    /// The number of sessions so far.
    private var sessions = 0
    private var rooms = IrcIIRooms()
    private var order: LineOrder
    private var untimed = LineCount()
    private var yearless = LineCount()

    package static func recognises(_ source: LogSource) -> Bool {
        let lines = IRCLog.eachLine(of: source.beginning)
        guard let first = lines.first(where: { !$0.isBlank }) else { return false }
        // A log that was cut begins within a session.
        return IrcIIStart(first) != nil || IrcIILine.hasKnownForm(first) && lines.contains { IrcIIStart($0) != nil }
    }

    package static func survey(now: Timestamp) -> (any LogSurvey)? { IrcIISessions() }

    package init(_ source: LogSource) throws(LogSourceError) {
        (room, zone, now) = (source.room?.withoutNUL, source.zone, source.now)
        dates = (source.survey as? IrcIISessions)?.dates(now: source.now) ?? []
        order = LineOrder(now: source.now)
    }

    package var assumptions: [String] {
        [
            untimed.sentence(
                "lines without a time, each of which gets the time at which its session began; most of what the archive "
                    + "has of them from a listener or another program's log is stored twice"),
            yearless.sentence("sessions without a year, read as the last years that have their weekdays, in order"),
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
        untimed.note(line.number)
        var message = read.content(by: rooms.ownNick).message(in: room, at: time)
        message.isTimed = false
        return .message(message)
    }

    /// Begins a session. A line never has an earlier time than the line before, see ``LineOrder``.
    private mutating func begin(_ start: IrcIIStart, _ line: Int) -> ParsedLine {
        defer { sessions += 1 }
        let date = sessions < dates.count ? dates[sessions] : start.date(until: IrcIIStart.latest(now))
        guard let day = date.flatMap({ LocalDay($0, zone: zone) }) else { return .unreadable("can't read its date") }
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
