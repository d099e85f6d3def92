package import ChatModel
package import Schema

extension GapReader {
    /// Returns the coverage around an instant of a room. Spans that touch count as one.
    package func coverage(around id: Int64, room: Int64, _ db: ReadTransaction) throws -> MessageDetail.Coverage {
        let since = try CoveredSpan.first(room, db).map { Timestamp(microseconds: $0.from) }
        return MessageDetail.Coverage(place: try place(of: id, room: room, db), archivedSince: since)
    }

    private func place(of id: Int64, room: Int64, _ db: ReadTransaction) throws -> MessageDetail.Coverage.Place {
        guard var first = try CoveredSpan.last(room, atOrBefore: id, db) else { return .notArchived }
        var last = first
        guard id <= first.to || isAlive(first) else {
            let gap = try gaps(rooms: [room], from: id, to: Self.after(id), db).first
            return gap.map { .inGap($0) } ?? .notArchived
        }
        while let earlier = try CoveredSpan.last(room, atOrBefore: Self.before(first.from), db),
            earlier.from < first.from, Self.after(earlier.to) >= first.from
        {
            first = earlier
        }
        while let later = try CoveredSpan.last(room, atOrBefore: Self.after(last.to), db), later.from > last.from {
            last = later
        }
        let gapBefore = try gaps(rooms: [room], from: Self.before(first.from), to: first.from, db)
            .first { $0.to?.microseconds == first.from }
        let gapAfter = try gaps(rooms: [room], from: last.to, to: Self.after(last.to), db)
            .first { $0.from.microseconds == last.to }
        return .covered(
            from: Timestamp(microseconds: first.from), to: isAlive(last) ? nil : Timestamp(microseconds: last.to),
            gapBefore: gapBefore, gapAfter: gapAfter)
    }

    /// Returns the next microsecond; the end of time stays.
    private static func after(_ instant: Int64) -> Int64 { instant == .max ? .max : instant + 1 }
    /// Returns the previous microsecond; the beginning of time stays.
    private static func before(_ instant: Int64) -> Int64 { instant == .min ? .min : instant - 1 }
}
