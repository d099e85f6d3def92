import Accounts
package import ChatModel
import Records
import Schema

/// Counts the messages of accounts in one pass over the kept counts of each.
struct StatisticsReader {
    private let after: MessageID?
    private let before: MessageID?
    private var total = Statistics()
    private var spans: LocalSpans
    private var rooms: [HitCount] = []
    private var users: [HitCount] = []
    private let zone: Zone
    private let limit: Int?
    private let now: Timestamp
    /// The counts of the account that is read, by the numbers of rooms and people; 0 for no sender.
    private var byRoom = RunTally()
    private var bySender = PersonTally()
    private var ends = CountedEnds()
    private var days: DayTally
    private var coverage: DayCoverage

    /// - Parameter limit: The number of people whose names matter; nil for all.
    init(zone: Zone, after: MessageID?, before: MessageID?, limit: Int?, now: Timestamp) {
        (self.zone, self.after, self.before, self.limit, self.now) = (zone, after, before, limit, now)
        spans = LocalSpans(zone: zone)
        days = DayTally(zone: zone)
        coverage = DayCoverage(zone: zone, after: after, before: before, now: now)
    }

    /// Counts the messages of an account.
    ///
    /// - Parameter rooms: The rooms to count; nil for all.
    mutating func add(_ account: AccountIdentity, rooms: [Int64]?, gaps: GapReader, _ db: ReadTransaction) throws {
        try coverage.add(rooms: rooms, gaps, db)
        (byRoom, bySender, ends) = (RunTally(), PersonTally(), CountedEnds())
        let messages = CountedMessages(
            rooms: rooms, after: after?.microseconds ?? .min, before: before?.microseconds ?? .max)
        try messages.read(into: &self, in: zone, db)
        for id in try ends.ids(isOfAll: rooms == nil, db) { add(end: id) }
        var people = try needsPeople ? bySender.counts : messages.people(db)
        // Messages of the system have no sender.
        people[0] = nil
        total.people += people.count
        let names = CountedNames(account: account, db: db)
        self.rooms += try names.rooms(byRoom.counts)
        users += try names.people(people, limit: limit, hasRest: false)
    }

    private mutating func add(end id: Int64) {
        let id = MessageID(microseconds: id)
        total.first = min(total.first ?? id, id)
        total.last = max(total.last ?? id, id)
    }

    var statistics: Statistics {
        var statistics = total
        statistics.counts = [
            .room: rooms.highestFirst(), .user: users.highestFirst(), .year: spans.counts(by: .year),
            .month: spans.counts(by: .month), .day: spans.counts(by: .day), .weekday: spans.counts(by: .weekday),
            .hour: spans.counts(by: .hour),
        ]
        let counts = days.counts
        guard let listed = listed(counts) else { return statistics }
        let numbers = max(listed.lowerBound, listed.upperBound - Statistics.dayLimit + 1)...listed.upperBound
        statistics.earlierDays = numbers.lowerBound - listed.lowerBound
        statistics.days = zip(numbers, coverage.complete(numbers)).map { number, isComplete in
            DayCount(
                day: CivilDay.name(of: number), messages: counts[number, default: 0], isComplete: isComplete)
        }
        return statistics
    }

    /// The numbers of the days to list; nil for none. The first is the day of the given start, or else of the first
    /// message. The last is the day of the given end; with a start alone, today; without both, the day of the last
    /// message. No day is after both today and the last message.
    ///
    /// - Parameter counts: The counts by the days' numbers.
    private func listed(_ counts: [Int64: Int64]) -> ClosedRange<Int64>? {
        let (first, last) = (counts.keys.min(), counts.keys.max())
        guard let start = after.map({ number($0.time.advanced(byMicroseconds: 1)) }) ?? first else { return nil }
        let today = max(number(now), last ?? .min)
        let end =
            before.map { min(number($0.time.advanced(byMicroseconds: -1)), today) } ?? (after == nil ? last : today)
        return end.flatMap { start <= $0 ? start...$0 : nil }
    }

    private func number(_ time: Timestamp) -> Int64 {
        CivilDay(containing: time, in: zone).number
    }
}

extension StatisticsReader: MessageTally {
    /// Without bounds, `sender_count` has the numbers.
    var needsPeople: Bool { after != nil || before != nil }

    mutating func add(_ id: Int64, room: Int64, sender: Int64?) {
        spans.add(id)
        days.add(id)
        byRoom.add(room, 1)
        bySender.add(sender ?? 0, 1)
        total.messages += 1
        add(end: id)
    }

    mutating func add(_ quarter: LocalQuarter, of row: CountRow, room: Int64) {
        spans.add(quarter)
        days.add(quarter)
        byRoom.add(room, quarter.messages)
        if needsPeople { bySender.add(quarter, of: row) }
        total.messages += quarter.messages
        ends.add(quarter.counts.number, room: room)
    }
}

/// The first and the last quarter of an hour with messages of each room.
private struct CountedEnds {
    private var rooms: [(room: Int64, first: Int64, last: Int64)] = []

    /// Adds a quarter of a room. The quarters of a room follow each other.
    mutating func add(_ quarter: Int64, room: Int64) {
        let place = rooms.count - 1
        guard place >= 0, rooms[place].room == room else { return rooms.append((room, quarter, quarter)) }
        if quarter < rooms[place].first { rooms[place].first = quarter }
        if quarter > rooms[place].last { rooms[place].last = quarter }
    }

    /// Returns the first and the last message.
    ///
    /// - Parameter isOfAll: True if messages of all rooms count.
    func ids(isOfAll: Bool, _ db: ReadTransaction) throws -> [Int64] {
        guard let first = rooms.map(\.first).min(), let last = rooms.map(\.last).max() else { return [] }
        return try [
            (first, "min", rooms.filter { $0.first == first }), (last, "max", rooms.filter { $0.last == last }),
        ].flatMap { quarter, function, rooms -> [Int64] in
            let bounds: [SQLArgument] = [
                .integer(QuarterHour.start(of: quarter)), .integer(QuarterHour.start(of: quarter + 1)),
            ]
            let ids = "SELECT \(function)(id) FROM message"
            guard !isOfAll else {
                let all: SQLText = "\(ids) \(.notIndexed) WHERE noise = 0 AND id >= ?1 AND id < ?2"
                return try db.integer(all, bounds).map { [$0] } ?? []
            }
            let inRoom: SQLText =
                "\(ids) \(.indexed("message_room")) WHERE room_id = ?3 AND noise = 0 AND id >= ?1 AND id < ?2"
            return try rooms.compactMap { try db.integer(inRoom, bounds + [.integer($0.room)]) }
        }
    }
}

extension ArchiveCounts {
    /// Counts the messages of a scope between two exclusive bounds.
    ///
    /// - Parameters:
    ///   - zone: The zone of days and hours.
    ///   - limit: The number of people to list, from the highest count down; nil for all. Others with as many messages or
    ///     with the same names are listed after them.
    ///   - now: The end of the time of which days can be complete.
    package func statistics(
        scope: MessageQuery.Scope, after: MessageID?, before: MessageID?, zone: Zone, limit: Int? = nil,
        now: Timestamp = .now()
    ) throws -> Statistics {
        let start = StatisticsReader(zone: zone, after: after, before: before, limit: limit, now: now)
        return try reading.collect(in: scope, into: start) { counter, reader in
            let gaps = GapReader(account: reader.account, now: now, isWritten: reader.gapReader.isWritten)
            try reader.read { db in
                try counter.add(reader.account, rooms: db.visible(scope.rooms(of: reader.account.name)), gaps: gaps, db)
            }
        }.result.statistics
    }
}
