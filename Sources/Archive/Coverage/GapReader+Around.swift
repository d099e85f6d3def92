import ChatModel
import GRDB

extension GapReader {
    /// Returns the coverage around an instant of a room. Spans that touch count as one.
    func coverage(around id: Int64, room: Int64, name: String, _ db: Database) throws -> MessageDetail.Coverage {
        let since = try Timestamp.first(
            db, sql: "SELECT min(from_us) FROM coverage WHERE room_id = ?", arguments: [room])
        return MessageDetail.Coverage(
            place: try place(of: id, room: room, name: name, db),
            archivedSince: since)
    }

    private func place(
        of id: Int64, room: Int64, name: String, _ db: Database
    ) throws -> MessageDetail.Coverage.Place {
        guard var first = try stretch(in: room, atOrBefore: id, db) else { return .notArchived }
        var last = first
        guard id <= first.to || first.isLive else {
            let gap = try gaps(room: room, name: name, from: id, to: Self.after(id), db).first
            return gap.map { .inGap($0) } ?? .notArchived
        }
        while let earlier = try stretch(in: room, atOrBefore: Self.before(first.from), db),
            earlier.from < first.from, Self.after(earlier.to) >= first.from
        {
            first = earlier
        }
        while let later = try stretch(in: room, atOrBefore: Self.after(last.to), db), later.from > last.from {
            last = later
        }
        let gapBefore = try gaps(room: room, name: name, from: Self.before(first.from), to: first.from, db)
            .first { $0.to?.microseconds == first.from }
        let gapAfter = try gaps(room: room, name: name, from: last.to, to: Self.after(last.to), db)
            .first { $0.from.microseconds == last.to }
        return .covered(
            from: Timestamp(microseconds: first.from), to: last.isLive ? nil : Timestamp(microseconds: last.to),
            gapBefore: gapBefore, gapAfter: gapAfter)
    }

    private struct Stretch {
        var from: Int64
        var to: Int64
        var isLive: Bool
    }

    /// Returns the last span that begins at or before an instant.
    private func stretch(in room: Int64, atOrBefore instant: Int64, _ db: Database) throws -> Stretch? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT from_us, max(from_us, ifnull(to_us, heard_until_us)), to_us IS NULL,
                      last_sign_of_life_us - ahead_us
                    FROM coverage JOIN session ON session.id = session_id
                    WHERE room_id = ? AND from_us <= ? ORDER BY from_us DESC LIMIT 1
                    """),
            arguments: [room, instant])
        return try row.map { row in
            let isOpen: Bool = try row.value(2)
            return try Stretch(
                from: row.value(0), to: row.value(1), isLive: isOpen && isAlive(lastSignOfLife: row.value(3)))
        }
    }

    /// Returns the next microsecond; the end of time stays.
    private static func after(_ instant: Int64) -> Int64 { instant == .max ? .max : instant + 1 }
    /// Returns the previous microsecond; the beginning of time stays.
    private static func before(_ instant: Int64) -> Int64 { instant == .min ? .min : instant - 1 }
}
