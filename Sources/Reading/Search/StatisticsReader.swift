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
    private let now: Timestamp
    /// The counts of the account that is read, by the numbers of rooms and people; 0 for no sender.
    private var byRoom = RunTally()
    private var bySender = PersonTally()
    private var ends = CountedEnds()
    private var days: DayTally
    private var coverage: DayCoverage

    init(zone: Zone, after: MessageID?, before: MessageID?, now: Timestamp) {
        (self.zone, self.after, self.before, self.now) = (zone, after, before, now)
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
        self.rooms += try Self.named(byRoom.counts, "room_name", "room_id", account, db)
        users += try Self.named(people, "user_name", "user_id", account, db)
    }

    private mutating func add(end id: Int64) {
        let id = MessageID(microseconds: id)
        total.first = min(total.first ?? id, id)
        total.last = max(total.last ?? id, id)
    }

    /// Returns counts with the present names of rooms or people.
    static func named(
        _ counts: [Int64: Int64], _ table: String, _ key: String, _ account: AccountIdentity, _ db: ReadTransaction
    ) throws -> [HitCount] {
        let seen = try key == "user_id" ? SeenNames(db) : nil
        let names = try seen == nil ? presentNames(of: counts.keys, table, key, db) : [:]
        return try counts.map { id, count in
            HitCount(account: account.name, name: try seen?.name(of: id) ?? names[id], count: count, id: id)
        }
    }

    /// The number of names that are looked up one by one, which takes as long as reading some ten times as many.
    private static let fewNames = 100

    private static func presentNames(
        of ids: some Collection<Int64>, _ table: String, _ key: String, _ db: ReadTransaction
    ) throws -> [Int64: String] {
        let today: SQLText = "SELECT \(key), name FROM \(table) WHERE last_seen_us IS NULL"
        var names: [Int64: String] = [:]
        guard ids.count > fewNames else {
            for id in ids { names[id] = try db.first("\(today) AND \(key) = ?1", [.integer(id)]) { try $0.text(1) } }
            return names
        }
        try db.forEach(today, []) { names[try $0.integer(0)] = try $0.text(1) }
        return names
    }

    var statistics: Statistics {
        var statistics = total
        statistics.counts = [
            .room: rooms.highestFirst(), .user: users.highestFirst(), .year: spans.counts(by: .year),
            .month: spans.counts(by: .month), .day: spans.counts(by: .day), .weekday: spans.counts(by: .weekday),
            .hour: spans.counts(by: .hour),
        ]
        guard let listed else { return statistics }
        let numbers = max(listed.lowerBound, listed.upperBound - Statistics.dayLimit + 1)...listed.upperBound
        statistics.earlierDays = numbers.lowerBound - listed.lowerBound
        statistics.days = zip(numbers, coverage.complete(numbers)).map { number, isComplete in
            DayCount(
                day: CivilDay.name(of: number), messages: days.counts[number, default: 0], isComplete: isComplete)
        }
        return statistics
    }

    /// The numbers of the days to list; nil for none. The first is the day of the given start, or else of the first
    /// message. The last is the day of the given end; with a start alone, today; without both, the day of the last
    /// message. No day is after both today and the last message.
    private var listed: ClosedRange<Int64>? {
        let (first, last) = (days.counts.keys.min(), days.counts.keys.max())
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

/// The first and the last quarter of an hour with messages, and the rooms that have them.
private struct CountedEnds {
    private var first: (quarter: Int64, rooms: [Int64])?
    private var last: (quarter: Int64, rooms: [Int64])?

    mutating func add(_ quarter: Int64, room: Int64) {
        if first.map({ quarter < $0.quarter }) ?? true {
            first = (quarter, [room])
        } else if first?.quarter == quarter {
            first?.rooms.append(room)
        }
        if last.map({ quarter > $0.quarter }) ?? true {
            last = (quarter, [room])
        } else if last?.quarter == quarter {
            last?.rooms.append(room)
        }
    }

    /// Returns the first and the last message.
    ///
    /// - Parameter isOfAll: True if messages of all rooms count.
    func ids(isOfAll: Bool, _ db: ReadTransaction) throws -> [Int64] {
        try [(first, "min"), (last, "max")].flatMap { end, function -> [Int64] in
            guard let end else { return [] }
            let bounds: [SQLArgument] = [
                .integer(QuarterHour.start(of: end.quarter)), .integer(QuarterHour.start(of: end.quarter + 1)),
            ]
            let ids = "SELECT \(function)(id) FROM message"
            guard !isOfAll else {
                let all: SQLText = "\(ids) \(.notIndexed) WHERE noise = 0 AND id >= ?1 AND id < ?2"
                return try db.integer(all, bounds).map { [$0] } ?? []
            }
            let inRoom: SQLText =
                "\(ids) \(.indexed("message_room")) WHERE room_id = ?3 AND noise = 0 AND id >= ?1 AND id < ?2"
            return try end.rooms.compactMap { try db.integer(inRoom, bounds + [.integer($0)]) }
        }
    }
}

extension ArchiveCounts {
    /// Counts the messages of a scope between two exclusive bounds.
    ///
    /// - Parameters:
    ///   - zone: The zone of days and hours.
    ///   - now: The end of the time of which days can be complete.
    package func statistics(
        scope: MessageQuery.Scope, after: MessageID?, before: MessageID?, zone: Zone, now: Timestamp = .now()
    ) throws -> Statistics {
        let start = StatisticsReader(zone: zone, after: after, before: before, now: now)
        return try reading.collect(in: scope, into: start) { counter, reader in
            let gaps = GapReader(account: reader.account, now: now, isWritten: reader.gapReader.isWritten)
            try reader.read { db in
                try counter.add(reader.account, rooms: db.visible(scope.rooms(of: reader.account.name)), gaps: gaps, db)
            }
        }.result.statistics
    }
}
