import Accounts
package import ChatModel
import Records
import Schema

/// Counts the messages of accounts in one pass over each.
struct StatisticsReader {
    private let after: MessageID?
    private let before: MessageID?
    private var total = Statistics()
    private var spans: LocalSpans
    private var rooms: [HitCount] = []
    private var users: [HitCount] = []
    private let zone: Zone
    private let now: Timestamp
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
        var (byRoom, bySender): ([Int64: Int64], [Int64: Int64]) = ([:], [:])
        for room in rooms ?? [] { try add(room: room, &byRoom, &bySender, db) }
        if rooms == nil { try add(room: nil, &byRoom, &bySender, db) }
        // Messages of the system have no sender.
        bySender[0] = nil
        total.people += bySender.count
        self.rooms += try Self.named(byRoom, "room_name", "room_id", account, db)
        users += try Self.named(bySender, "user_name", "user_id", account, db)
    }

    private mutating func add(
        room: Int64?, _ byRoom: inout [Int64: Int64], _ bySender: inout [Int64: Int64], _ db: ReadTransaction
    ) throws {
        let index: SQLText =
            room == nil ? "\(.notIndexed) WHERE ?3 IS NULL" : "\(.indexed("message_room")) WHERE room_id = ?3"
        try db.forEach(
            "SELECT id, room_id, coalesce(sender_id, 0) FROM message \(index) AND noise = 0 AND id > ?1 AND id < ?2",
            [.integer(after?.microseconds ?? .min), .integer(before?.microseconds ?? .max), .integer(room)]
        ) { row in
            let id = try row.integer(0)
            spans.add(id)
            days.add(id)
            byRoom[try row.integer(1), default: 0] += 1
            bySender[try row.integer(2), default: 0] += 1
            total.messages += 1
            total.first = min(total.first ?? MessageID(microseconds: id), MessageID(microseconds: id))
            total.last = max(total.last ?? MessageID(microseconds: id), MessageID(microseconds: id))
        }
    }

    private static func named(
        _ counts: [Int64: Int64], _ table: String, _ key: String, _ account: AccountIdentity, _ db: ReadTransaction
    ) throws -> [HitCount] {
        let today: SQLText = "SELECT name FROM \(table) WHERE \(key) = ?1 AND last_seen_us IS NULL"
        let seen = try key == "user_id" ? SeenNames(db) : nil
        return try counts.map { id, count in
            let name = if let seen { try seen.name(of: id) } else { try db.text(today, [.integer(id)]) }
            return HitCount(account: account.name, name: name, count: count, id: id)
        }
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
