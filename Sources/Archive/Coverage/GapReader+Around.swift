import ChatModel

extension GapReader {
    /// Returns the coverage around an instant of a room. Spans that touch count as one.
    func coverage(around id: Int64, room: Int64, name: String, _ db: ReadTransaction) throws -> MessageDetail.Coverage {
        let since = try db.first("SELECT min(from_us) FROM coverage WHERE room_id = ?1", [.integer(room)]) { row in
            try row.optionalTime(0)
        }
        return MessageDetail.Coverage(
            place: try place(of: id, room: room, name: name, db),
            archivedSince: since)
    }

    private func place(
        of id: Int64, room: Int64, name: String, _ db: ReadTransaction
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
    private func stretch(in room: Int64, atOrBefore instant: Int64, _ db: ReadTransaction) throws -> Stretch? {
        try db.first(
            """
            SELECT from_us, coalesce(to_us, heard_until_us), to_us IS NULL, last_sign_of_life_us - ahead_us
            FROM coverage JOIN session ON session.id = session_id
            WHERE room_id = ?1 AND from_us <= ?2 ORDER BY from_us DESC LIMIT 1
            """, [.integer(room), .integer(instant)]
        ) { row in
            let from = try row.integer(0)
            return try Stretch(
                from: from, to: max(from, row.integer(1)), isLive: row.bool(2) && isAlive(lastSignOfLife: row.time(3)))
        }
    }

    /// Returns the next microsecond; the end of time stays.
    private static func after(_ instant: Int64) -> Int64 { instant == .max ? .max : instant + 1 }
    /// Returns the previous microsecond; the beginning of time stays.
    private static func before(_ instant: Int64) -> Int64 { instant == .min ? .min : instant - 1 }
}
