package import ChatModel
package import Schema

/// The days of a zone on which rooms are proven complete.
///
/// A room counts from the day of its first message or its first proven instant to the day on which it was left. A day
/// is complete if some room counts, and each room that counts is covered from the day's start to its end. Reads each
/// room's spans once, in order; the memory depends on the number of days with a change.
package struct DayCoverage {
    private let zone: Zone
    private let now: Timestamp
    /// The start of the examined time, in microseconds since 1970.
    private let lower: Int64
    private let upper: Int64
    /// The changes of the number of rooms that count, by the number of the day.
    private var counting: [Int64: Int] = [:]
    /// The changes of the number of uncovered times that overlap a day, by the number of the day.
    private var missing: [Int64: Int] = [:]

    /// - Parameters:
    ///   - after: The exclusive start of the examined time, whose whole day is examined. Nil for all time.
    ///   - before: The exclusive end, likewise.
    package init(zone: Zone, after: MessageID?, before: MessageID?, now: Timestamp) {
        (self.zone, self.now) = (zone, now)
        lower = after.map { CivilDay(containing: $0.time, in: zone).span.lowerBound.microseconds } ?? .min
        upper = before.map { CivilDay(containing: $0.time, in: zone).span.upperBound.microseconds } ?? .max
    }

    /// Adds the rooms of an account.
    ///
    /// - Parameter rooms: The rooms' numbers; nil for all.
    package mutating func add(rooms: [Int64]?, _ reader: GapReader, _ db: ReadTransaction) throws {
        for room in try CoveredRoom.read(rooms, db) { try addRoom(room, reader, db) }
    }

    private mutating func addRoom(_ room: CoveredRoom, _ reader: GapReader, _ db: ReadTransaction) throws {
        let begin = try db.integer(
            """
            SELECT min(first) FROM (\(Room.firstMessage(of: "?1")) UNION ALL
              SELECT min(from_us) FROM coverage WHERE room_id = ?1) AS beginning
            """, [.integer(room.id)])
        guard let begin else { return }
        let first = day(begin)
        let last = room.departure.map { day($0.at) }
        counting[first.number, default: 0] += 1
        if let last { counting[max(last.number, first.number) + 1, default: 0] -= 1 }
        let end = min(now.microseconds, last?.span.upperBound.microseconds ?? .max, upper)
        var uncovered = max(first.span.lowerBound.microseconds, lower)
        try CoveredSpan.sweep(room.id, from: uncovered, to: end, db) { span, _ -> Never? in
            guard let span else { return nil }
            if span.from > uncovered { miss(uncovered, span.from) }
            // A live span lasts until now.
            let last = reader.isAlive(span) ? max(span.to, now.microseconds) : span.to
            uncovered = max(uncovered, last == .max ? .max : last + 1)
            return nil
        }
        if uncovered < end { miss(uncovered, end) }
    }

    /// Marks the days from `from` up to `end`, exclusive, as incomplete.
    private mutating func miss(_ from: Int64, _ end: Int64) {
        missing[day(from).number, default: 0] += 1
        missing[day(end - 1).number + 1, default: 0] -= 1
    }

    private func day(_ instant: Int64) -> CivilDay {
        CivilDay(containing: Timestamp(microseconds: instant), in: zone)
    }

    /// Returns for each of some days, in order, whether it is complete; nil for a day that has not ended and is
    /// complete so far.
    package func complete(_ days: ClosedRange<Int64>) -> [Bool?] {
        func sum(_ changes: [Int64: Int]) -> Int {
            changes.reduce(0) { $0 + ($1.key < days.lowerBound ? $1.value : 0) }
        }
        var (rooms, gaps) = (sum(counting), sum(missing))
        return days.map { number in
            rooms += counting[number, default: 0]
            gaps += missing[number, default: 0]
            guard rooms > 0, gaps == 0 else { return false }
            return CivilDay(number: number, zone: zone).span.upperBound > now ? nil : true
        }
    }
}
