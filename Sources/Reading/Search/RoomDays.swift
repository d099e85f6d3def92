import Accounts
package import ChatModel
import Records
import Schema

extension ArchiveCounts {
    /// Counts the messages of each day of a room, days without messages included, and says which days are proven
    /// complete. The counts are those of ``statistics(scope:after:before:zone:now:)``.
    ///
    /// - Parameters:
    ///   - days: The numbers of the days. Those after today and after the last message are left out.
    ///   - now: The end of the time of which days can be complete.
    package func days(
        of room: RoomKey, days: ClosedRange<Int64>, zone: Zone, now: Timestamp = .now()
    ) throws -> [DayCount] {
        let all = days.map { CivilDay(number: $0, zone: zone) }
        guard let first = all.first, let last = all.last else { return [] }
        let (after, before) = (first.span.lowerBound.advanced(byMicroseconds: -1), last.span.upperBound)
        var coverage = DayCoverage(
            zone: zone, after: MessageID(after), before: MessageID(before.advanced(byMicroseconds: -1)), now: now)
        let scope = MessageQuery.Scope.room(account: room.account, id: room.id)
        let (counts, found) = try reading.collect(in: scope, into: ([Int64](), coverage)) { found, reader in
            let gaps = GapReader(account: reader.account, now: now, isWritten: reader.gapReader.isWritten)
            found.0 = try reader.read { db in
                try found.1.add(rooms: [room.id], gaps, db)
                guard let kept = try CountReader(db), QuarterHour.start(of: kept.from) <= after.microseconds else {
                    return try all.map { try Self.count(room.id, $0.span, db) }
                }
                var tally = DayTally(zone: zone)
                try CountedMessages(rooms: [room.id], after: after.microseconds, before: before.microseconds)
                    .read(into: &tally, in: zone, db)
                let counts = tally.counts
                return all.map { counts[$0.number, default: 0] }
            }
        }.result
        coverage = found
        let today = CivilDay(containing: now, in: zone).number
        let end = max(today, counts.lastIndex { $0 > 0 }.map { all[$0].number } ?? .min)
        guard days.lowerBound <= end else { return [] }
        let listed = days.lowerBound...min(days.upperBound, end)
        return zip(zip(all, counts), coverage.complete(listed)).map { day, isComplete in
            DayCount(day: day.0.name, messages: day.1, isComplete: isComplete)
        }
    }

    /// Counts the messages of a room in a span by the index alone.
    private static func count(_ room: Int64, _ span: Range<Timestamp>, _ db: ReadTransaction) throws -> Int64 {
        try db.integer(
            """
            SELECT count(*) FROM message \(.indexed("message_room"))
            WHERE room_id = ?1 AND noise = 0 AND id >= ?2 AND id < ?3
            """,
            [.integer(room), .integer(span.lowerBound.microseconds), .integer(span.upperBound.microseconds)]) ?? 0
    }
}
