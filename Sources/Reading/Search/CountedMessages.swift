import ChatModel
import Records
import Schema

/// A count of messages, most of them by quarters of an hour.
protocol MessageTally {
    /// True if the senders of the messages matter.
    var needsPeople: Bool { get }

    /// Counts a message.
    ///
    /// - Parameter sender: Nil for the server's own lines.
    mutating func add(_ id: Int64, room: Int64, sender: Int64?) throws

    /// Counts the messages of a quarter of an hour.
    ///
    /// - Parameter row: Has the counts of the quarter by senders, if they matter.
    mutating func add(_ quarter: LocalQuarter, of row: CountRow, room: Int64) throws
}

/// A count whose parts several threads make.
protocol JoinedTally: MessageTally, Sendable {
    /// Adds the counts of other messages.
    mutating func join(_ other: Self) throws
}

/// A quarter of an hour that lies in one hour of a zone.
struct LocalQuarter {
    let counts: CountRow.Quarter
    /// The seconds by which local time is ahead of UTC.
    let offset: Int64
    /// True if the clocks did not change on this day or the day before, so that its day follows from the offset.
    let isCalm: Bool

    var messages: Int64 { counts.messages }
    /// An instant in the quarter, in microseconds since 1970.
    var instant: Int64 { QuarterHour.start(of: counts.number) }
    /// The hours since 1970 in the zone.
    var hour: Int64 { LocalHours.floor(counts.number * 900 + offset, 3600) }
}

/// The messages of some time, to count them: those of whole quarters of an hour by the kept counts, and those at the edges by their
/// rows. Joins, leaves, renames and modes are left out.
struct CountedMessages {
    /// The rooms' numbers; nil for all.
    let rooms: [Int64]?
    /// The exclusive bounds, in microseconds since 1970.
    let after: Int64
    let before: Int64

    /// Counts all of them.
    ///
    /// A quarter of an hour in which the zone's offset changes, or that lies in two local hours, is read from its rows. Such are those of
    /// old local times, like 08:27:52 ahead of UTC in Seoul until 1908.
    ///
    /// - Parameter zone: Nil if the times of quarters don't matter.
    func read(into tally: inout some MessageTally, in zone: Zone?, _ db: ReadTransaction) throws {
        guard let counts = try CountReader(db), let quarters = quarters(countedFrom: counts.from) else {
            return try readRows(into: &tally, after, before, db)
        }
        // Without a bound, no message is outside the quarters.
        if after > .min || counts.from > .min {
            try readRows(into: &tally, after, QuarterHour.start(of: quarters.lowerBound), db)
        }
        var others: Set<Int64> = []
        var offsets = QuarterZone(zone ?? .gmt)
        for room in rooms.map({ $0.map(Optional.init) }) ?? [nil] {
            try counts.forEachRow(room: room, quarters: quarters, hasPeople: tally.needsPeople) { room, row in
                for quarter in row.quarters where quarters.contains(quarter.number) {
                    guard let local = offsets.local(quarter) else {
                        others.insert(quarter.number)
                        continue
                    }
                    try tally.add(local, of: row, room: room)
                }
            }
        }
        for quarters in others.runs() {
            let start = QuarterHour.start(of: quarters.lowerBound)
            try readRows(into: &tally, start - 1, QuarterHour.start(of: quarters.upperBound), db)
        }
        if before < .max { try readRows(into: &tally, QuarterHour.start(of: quarters.upperBound) - 1, before, db) }
    }

    /// The numbers of messages that a row of kept counts may have, so that sums don't overflow.
    private static let sums: ClosedRange<Int64> = 0...(1 << 40)

    /// Returns the numbers of messages by room.
    func byRoom(_ db: ReadTransaction) throws -> [Int64: Int64] {
        guard rooms == nil, after == .min, before == .max, let counts = try CountReader(db), counts.from == .min else {
            return try counted(RoomTally(), in: nil, db).counts
        }
        var tally = RunTally()
        try counts.forEachSum { room, _, messages in
            guard Self.sums.contains(messages) else {
                throw Columns.damage("message_count holds sums that no program writes")
            }
            tally.add(room, messages)
        }
        return tally.counts
    }

    /// Returns the numbers of messages by sender; 0 for the server's own lines, whose number is only there for a bounded time.
    func people(_ db: ReadTransaction) throws -> [Int64: Int64] {
        guard after == .min, before == .max else { return try counted(PersonTally(), in: nil, db).counts }
        var counts: [Int64: Int64] = [:]
        let wanted: SQLText = rooms == nil ? "" : "WHERE room_id \(.among(1))"
        try db.forEach(
            "SELECT sender_id, messages FROM sender_count \(wanted)", rooms.map { [.list($0)] } ?? []
        ) { row in
            let count = try row.integer(1)
            if count > 0 { counts[try row.integer(0), default: 0] += count }
        }
        return counts
    }

    /// Returns a tally with all of them.
    func counted<Tally: MessageTally>(_ empty: Tally, in zone: Zone?, _ db: ReadTransaction) throws -> Tally {
        var tally = empty
        try read(into: &tally, in: zone, db)
        return tally
    }

    /// Returns the quarters whose messages are all counted and within the bounds; nil if there is none.
    private func quarters(countedFrom from: Int64) -> Range<Int64>? {
        let all = CountPlace.quarters
        let first = max(after == .min ? .min : QuarterHour.number(of: after) + 1, from, all.lowerBound)
        let end = min(before == .max ? .max : QuarterHour.number(of: before), all.upperBound)
        return first < end ? first..<end : nil
    }

    private func readRows(
        into tally: inout some MessageTally, _ after: Int64, _ before: Int64, _ db: ReadTransaction
    ) throws {
        guard before > after, before - 1 > after else { return }
        for room in rooms.map({ $0.map(Optional.init) }) ?? [nil] {
            let index: SQLText =
                room == nil ? "\(.notIndexed) WHERE ?3 IS NULL" : "\(.indexed("message_room")) WHERE room_id = ?3"
            try db.forEach(
                "SELECT id, room_id, sender_id FROM message \(index) AND noise = 0 AND id > ?1 AND id < ?2",
                [.integer(after), .integer(before), .integer(room)]
            ) { row in
                try tally.add(row.integer(0), room: row.integer(1), sender: row.optionalInteger(2))
            }
        }
    }
}

extension Set<Int64> {
    /// Returns the numbers in order, those that follow each other together.
    fileprivate func runs() -> [Range<Int64>] {
        sorted().reduce(into: [Range<Int64>]()) { runs, number in
            if let last = runs.last, last.upperBound == number {
                runs[runs.count - 1] = last.lowerBound..<(number + 1)
            } else {
                runs.append(number..<(number + 1))
            }
        }
    }
}

/// The offsets of a zone by quarters of an hour. Fast for any order, because most days have one offset.
struct QuarterZone {
    private let zone: Zone
    /// The offsets of the days from 1970 to 2069 in seconds; ``unknown`` before they are asked for, ``changing`` for others.
    private var days: [Int32]
    private var last: (day: Int64, offset: Int64?)?

    private static let unknown = Int32.max
    private static let changing = Int32.min
    private static let count = 36_524

    init(_ zone: Zone) {
        self.zone = zone
        days = Array(repeating: Self.unknown, count: Self.count)
    }

    /// Returns a quarter in local time; nil if it does not lie in one local hour.
    mutating func local(_ quarter: CountRow.Quarter) -> LocalQuarter? {
        if let offset = offset(ofDay: LocalHours.floor(quarter.number, QuarterHour.ofDay)) {
            return LocalQuarter(counts: quarter, offset: offset, isCalm: true)
        }
        let second = quarter.number * 900
        let offset = zone.secondsFromGMT(at: second)
        guard offset == zone.secondsFromGMT(at: second + 899), offset % 900 == 0 else { return nil }
        return LocalQuarter(counts: quarter, offset: Int64(offset), isCalm: false)
    }

    /// Returns the offset of a day of UTC; nil if it changes on it or on the day before, or is no whole number of quarters.
    private mutating func offset(ofDay day: Int64) -> Int64? {
        if let last, last.day == day { return last.offset }
        let offset: Int64?
        if day >= 0, day < Int64(Self.count) {
            if days[Int(day)] == Self.unknown { days[Int(day)] = calm(day).map(Int32.init) ?? Self.changing }
            offset = days[Int(day)] == Self.changing ? nil : Int64(days[Int(day)])
        } else {
            offset = calm(day).map(Int64.init)
        }
        last = (day, offset)
        return offset
    }

    private func calm(_ day: Int64) -> Int? {
        // No zone changes its offset twice in a day and ends with the first one.
        let offset = zone.secondsFromGMT(at: day * 86_400)
        let isCalm = [-1, 1].allSatisfy { zone.secondsFromGMT(at: (day + $0) * 86_400) == offset }
        return isCalm && offset % 900 == 0 ? offset : nil
    }
}

/// The numbers of messages by the numbers of people.
struct PersonTally {
    /// The counts of small numbers, which most people have.
    private var dense: [Int64] = []
    private var others: [Int64: Int64] = [:]

    private static let mostDense: Int64 = 1 << 18

    mutating func add(_ person: Int64, _ count: Int64) {
        if person >= 0, person < Int64(dense.count) {
            dense[Int(person)] += count
        } else if person >= 0, person < Self.mostDense {
            dense += repeatElement(0, count: max(Int(person) + 1 - dense.count, dense.count))
            dense[Int(person)] += count
        } else {
            others[person, default: 0] += count
        }
    }

    /// Counts the messages of a quarter of an hour; those without a sender as 0.
    mutating func add(_ quarter: LocalQuarter, of row: CountRow) {
        for pair in row.pairs[quarter.counts.pairs] { add(row.keys[pair.key].sender, pair.messages) }
    }

    /// The counts, without those that are 0.
    var counts: [Int64: Int64] {
        var counts = others
        for (person, count) in dense.enumerated() where count != 0 { counts[Int64(person)] = count }
        return counts
    }
}

extension PersonTally: JoinedTally {
    var needsPeople: Bool { true }

    mutating func join(_ other: PersonTally) {
        for (person, count) in other.counts { add(person, count) }
    }

    mutating func add(_ id: Int64, room: Int64, sender: Int64?) { add(sender ?? 0, 1) }

    mutating func add(_ quarter: LocalQuarter, of row: CountRow, room: Int64) { add(quarter, of: row) }
}

/// The numbers of messages by the numbers of rooms.
struct RoomTally: JoinedTally {
    private var rooms = RunTally()

    var needsPeople: Bool { false }

    mutating func join(_ other: RoomTally) { rooms.join(other.rooms) }

    mutating func add(_ id: Int64, room: Int64, sender: Int64?) { rooms.add(room, 1) }

    mutating func add(_ quarter: LocalQuarter, of row: CountRow, room: Int64) { rooms.add(room, quarter.messages) }

    var counts: [Int64: Int64] { rooms.counts }
}
