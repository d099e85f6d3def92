import ChatModel

/// Computes gaps: the time between the spans of a room, from its first span on, and the time between an imported log and
/// that span.
struct GapReader: Sendable {
    let account: AccountIdentity
    let now: Timestamp
    /// Returns true if a process holds the writer's lock; without one, an open session has ended. Called only if it
    /// matters.
    let isWritten: @Sendable () -> Bool

    /// The silence after which an open session counts as ended: twice the time of three keepalive rounds, a probe's
    /// answer and a write interval of 10 s.
    static let longestSilence = Duration.seconds(60)

    /// Returns the gaps of some rooms, or of every room of the account, that lie at least partly between two ids.
    func gaps(rooms: [Int64]?, from lower: Int64, to upper: Int64, _ db: ReadTransaction) throws -> [Gap] {
        try Self.names(of: rooms, db).flatMap { room in
            try gaps(room: room.id, name: room.name, from: lower, to: upper, db)
        }
    }

    /// Returns the same gaps, and the removed messages there, as pages and exports show them.
    func gapsAndPurges(rooms: [Int64]?, from lower: Int64, to upper: Int64, _ db: ReadTransaction) throws -> [Gap] {
        let gaps = try gaps(rooms: rooms, from: lower, to: upper, db)
        guard try db.holds("SELECT EXISTS (SELECT 1 FROM purge)") else { return gaps }
        return try gaps
            + Self.names(of: rooms, db).flatMap { room in
                try Purge.between(lower, upper, room: room.id, of: account.name, db).map { Gap($0, room: room.name) }
            }
    }

    /// Returns a listing of each room with encrypted messages, from the first of them to the last.
    fileprivate func encrypted(rooms: [Int64]?, _ db: ReadTransaction) throws -> [Gap] {
        try Self.names(of: rooms, db).compactMap { room -> Gap? in
            guard let messages = try EncryptedMessages.read(room: room.id, db), let first = messages.first else {
                return nil
            }
            var gap = Gap(
                account: account.name, room: room.name, from: first, to: messages.last, state: .encrypted, reason: nil,
                nextTry: nil)
            gap.detail = messages.count == 1 ? "1 message" : "\(messages.count) messages"
            return gap
        }
    }

    /// Returns the present names of some rooms, or of all.
    private static func names(of rooms: [Int64]?, _ db: ReadTransaction) throws -> [(id: Int64, name: String)] {
        guard let rooms = db.visible(rooms) else {
            return try db.all("SELECT room_id, name FROM room_name WHERE last_seen_us IS NULL") { row in
                try (row.integer(0), row.text(1))
            }
        }
        return try rooms.compactMap { room in
            try db.text("SELECT name FROM room_name WHERE last_seen_us IS NULL AND room_id = ?1", [.integer(room)])
                .map { (room, $0) }
        }
    }

    /// Returns the gaps of a room that lie at least partly between two instants, in order of time.
    func gaps(room: Int64, name: String, from lower: Int64, to upper: Int64, _ db: ReadTransaction) throws -> [Gap] {
        let (first, gaps) = try plainGaps(room: room, name: name, from: lower, to: upper, db)
        let afterLog = try first.flatMap { try notArchived(room: room, name: name, before: $0, db) }
        let filled = try gaps.map { gap in
            var gap = gap
            gap.imported = try Self.importedSpans(
                room: room, from: gap.from.microseconds, to: gap.to?.microseconds ?? .max, db)
            return gap
        }
        return try ([afterLog].compactMap(\.self).filter { $0.from.microseconds < upper } + filled).map { gap in
            var gap = gap
            if gap.state.isMissing { gap.replayed = try Gap.Replayed(in: gap, room: room, db) }
            return gap
        }
    }

    /// Returns the gaps between and after the spans, and the room's first span if it begins after `lower`.
    private func plainGaps(
        room: Int64, name: String, from lower: Int64, to upper: Int64, _ db: ReadTransaction
    ) throws -> (first: Span?, gaps: [Gap]) {
        var first: Span?
        var gaps: [Gap] = []
        var before: Span?
        let isBeyond = try db.first(
            """
            SELECT coverage.from_us, coalesce(to_us, session.heard_until_us), to_us IS NULL,
              gap_note.reason, gap_note.next_try_us, gap_note.unfilled, gap_note.detail, last_sign_of_life_us - ahead_us,
              \(Self.ahead)
            FROM coverage JOIN session ON session.id = session_id
              LEFT JOIN gap_note ON gap_note.room_id = coverage.room_id AND gap_note.from_us = to_us
            WHERE coverage.room_id = ?1
              AND coverage.from_us >=
                coalesce((SELECT max(from_us) FROM coverage WHERE room_id = ?1 AND from_us <= ?2), ?2)
            ORDER BY coverage.from_us
            """, [.integer(room), .integer(lower)]
        ) { row -> Bool? in
            let span = try span(row)
            // The rows begin with the last span that begins at or before `lower`, if there is one.
            if before == nil, span.from > lower { first = span }
            if let before, before.to < span.from, before.to + 1 < span.from, before.to < upper {
                gaps.append(gap(name, after: before, until: span.from, ahead: span.ahead))
            }
            before = span
            return span.from >= upper ? true : nil
        }
        if isBeyond == nil, let before, !before.isLive, before.to < upper {
            let departure = try RoomDeparture.read(room: room, db)
            gaps +=
                departure.map { ended(name, after: before, $0, before: upper) }
                ?? [gap(name, after: before, until: nil)]
        }
        return (first, gaps)
    }

    private func span(_ row: Columns) throws -> Span {
        let (from, isOpen) = try (row.integer(0), row.bool(2))
        let end = isOpen ? isWritten() ? Gap.quiet : EndReason.crashed.rawValue : nil
        return try Span(
            from: from, to: max(from, row.integer(1)), isLive: isOpen && isAlive(lastSignOfLife: row.time(7)),
            reason: row.optionalText(3) ?? end, nextTry: row.optionalInteger(4), unfilled: row.optionalText(5),
            detail: row.optionalText(6), ahead: row.integer(8))
    }

    /// Returns the end of coverage at a departure, and the gap between the last span and the departure, if any. Nothing
    /// is missing after a departure.
    private func ended(_ room: String, after span: Span, _ departure: RoomDeparture, before upper: Int64) -> [Gap] {
        var span = span
        span.nextTry = nil
        let end = departure.endsSpan(at: span.to, reason: span.reason) ? span.to : departure.at
        let missing = end == span.to ? [] : [gap(room, after: span, until: end)]
        guard end < upper else { return missing }
        return missing + [
            Gap(
                account: account.name, room: room, from: Timestamp(microseconds: end), to: nil, state: .ended,
                reason: departure.reason.rawValue, nextTry: nil)
        ]
    }

    private struct Span {
        var from: Int64
        var to: Int64
        var isLive: Bool
        var reason: String?
        var nextTry: Int64?
        var unfilled: String?
        var detail: String?
        var ahead: Int64
    }

    /// SQL for the lead of a session's spans over this machine's clock, in microseconds; 0 when the spans are in the
    /// network's time.
    static let ahead = "CASE WHEN clock_lead_us = 0 THEN ahead_us ELSE 0 END"

    func isAlive(lastSignOfLife: Timestamp) -> Bool {
        now.since(lastSignOfLife) <= Self.longestSilence && isWritten()
    }

    /// Returns the time of the next attempt; nil if nobody will make it, because no listener runs.
    private func nextTry(_ span: Span) -> Timestamp? {
        span.nextTry.flatMap { isWritten() ? Timestamp(microseconds: $0) : nil }
    }

    private func gap(_ room: String, after span: Span, until end: Int64?, ahead: Int64 = 0) -> Gap {
        var gap = Gap(
            account: account.name, room: room, from: Timestamp(microseconds: span.to),
            to: end.map(Timestamp.init(microseconds:)),
            state: end == nil ? .current : span.nextTry == nil ? .lost : .open, reason: span.reason,
            nextTry: nextTry(span), unfilled: span.unfilled, detail: span.detail)
        gap.ahead = Gap.Ahead(from: span.ahead, to: ahead)
        return gap
    }
}

extension GapReader {
    /// Returns the imported spans that lie before a room's first span, or anywhere in a room without spans.
    func imported(rooms: [Int64]?, _ db: ReadTransaction) throws -> [Gap] {
        let rooms = try db.all(
            """
            SELECT room_id, name, coalesce((SELECT min(from_us) FROM coverage WHERE coverage.room_id = room_name.room_id),
              \(Int64.max))
            FROM room_name WHERE last_seen_us IS NULL AND (?1 IS NULL OR room_id IN (SELECT value FROM json_each(?1)))
              AND EXISTS (SELECT 1 FROM imported_span WHERE imported_span.room_id = room_name.room_id)
            """, [.list(db.visible(rooms))]
        ) { row in try (id: row.integer(0), name: row.text(1), end: row.limit(2)) }
        return try rooms.flatMap { room in
            try Self.importedSpans(room: room.id, from: .min, to: room.end, db).map { span in
                let to = min(span.to, Timestamp(microseconds: room.end))
                return Gap(
                    account: account.name, room: room.name, from: span.from, to: to, state: .imported, reason: nil,
                    nextTry: nil, imported: [Gap.Imported(from: span.from, to: to)])
            }
        }
    }

    /// Returns the time between the last imported log that begins before a room's first span, and that span; nil if
    /// there is no such log, or if it reaches the span. Costs one look-up in the key of `imported_span`.
    private func notArchived(room: Int64, name: String, before first: Span, _ db: ReadTransaction) throws -> Gap? {
        let log = try db.first(
            """
            SELECT to_us, (SELECT asked_back_to_us FROM room WHERE id = ?1) FROM imported_span
            WHERE room_id = ?1 AND from_us < ?2 ORDER BY from_us DESC LIMIT 1
            """, [.integer(room), .integer(first.from)]
        ) { row in try (end: row.integer(0), fetchedBackTo: row.optionalInteger(1)) }
        let begin = first.from &- first.ahead
        guard let log, log.end < begin, log.end + 1 < begin else { return nil }
        // The network gave all of its history, and that does not reach the log.
        let isAsked = log.fetchedBackTo.map { $0 <= log.end } ?? false
        var gap = Gap(
            account: account.name, room: name, from: Timestamp(microseconds: log.end),
            to: Timestamp(microseconds: first.from), state: .notArchived, reason: nil, nextTry: nil,
            unfilled: isAsked ? UnfilledReason.limit.rawValue : nil)
        gap.ahead.to = first.ahead
        return gap
    }

    /// Returns the room's imported spans between two instants, without the times of messages that a damaged file lost.
    private static func importedSpans(
        room: Int64, from: Int64, to: Int64, _ db: ReadTransaction
    ) throws -> [Gap.Imported] {
        let holes = try damagedHoles(room: room, db)
        return try ImportedSpans.between(from, to, room: room, db).flatMap { $0.without(holes) }
    }

    /// Returns the times between imported spans in which a damaged file lost messages, in order of time.
    private static func damagedHoles(room: Int64, _ db: ReadTransaction) throws -> [Gap.Imported] {
        let holes = try db.all(
            """
            SELECT gap_note.from_us, (SELECT min(from_us) FROM imported_span
              WHERE imported_span.room_id = ?1 AND imported_span.from_us > gap_note.from_us)
            FROM gap_note
            WHERE gap_note.room_id = ?1 AND gap_note.reason = ?2 AND EXISTS (SELECT 1 FROM imported_span
              WHERE imported_span.room_id = ?1 AND imported_span.to_us = gap_note.from_us)
            ORDER BY gap_note.from_us
            """, [.integer(room), .text(CoverageLedger.damaged)]
        ) { row in try (from: row.time(0), to: row.optionalTime(1)) }
        return holes.compactMap { hole in hole.to.map { Gap.Imported(from: hole.from, to: $0) } }
    }
}

extension Gap.Imported {
    /// Returns the parts of the span outside the holes, which are in order of time.
    fileprivate func without(_ holes: [Gap.Imported]) -> [Gap.Imported] {
        var parts = [self]
        for hole in holes where from <= hole.from && hole.to <= to {
            parts[parts.count - 1].to = hole.from
            parts.append(Gap.Imported(from: hole.to, to: to))
        }
        return parts
    }
}

extension AccountReader {
    var gapReader: GapReader {
        GapReader(account: account, now: .now(), isWritten: opened.lookAtWriter())
    }

    func gaps(rooms: [Int64]?, from lower: Int64, to upper: Int64) throws -> [Gap] {
        let reader = gapReader
        return try read { db in try reader.gaps(rooms: rooms, from: lower, to: upper, db) }
    }

    /// Returns all gaps, and the spans that only imported logs cover.
    func gapListing(rooms: [Int64]?) throws -> [Gap] {
        let reader = gapReader
        return try read { db in
            try reader.gaps(rooms: rooms, from: .min, to: .max, db) + reader.imported(rooms: rooms, db)
                + reader.encrypted(rooms: rooms, db)
        }
    }
}

extension [Gap] {
    func inOrder() -> [Gap] {
        sorted { ($0.from, $0.account, $0.room) < ($1.from, $1.account, $1.room) }
    }
}
