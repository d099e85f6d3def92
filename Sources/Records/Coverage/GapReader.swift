package import ChatModel
package import Schema

/// Computes gaps: the time between the spans of a room, from its first span on, and the time between an imported log and
/// that span.
package struct GapReader: Sendable {
    let account: AccountIdentity
    let now: Timestamp
    /// Returns true if a process holds the writer's lock; without one, an open session has ended. Called only if it
    /// matters.
    package let isWritten: @Sendable () -> Bool

    package init(account: AccountIdentity, now: Timestamp, isWritten: @escaping @Sendable () -> Bool) {
        (self.account, self.now, self.isWritten) = (account, now, isWritten)
    }

    /// The silence after which an open session counts as ended: twice the time of three keepalive rounds, a probe's
    /// answer and a write interval of 10 s.
    private static let longestSilence = Duration.seconds(60)

    /// Returns the gaps of some rooms, or of every room of the account, that lie at least partly between two ids.
    ///
    /// - Parameter others: What to add to them: `purged` for the removed messages there, as on pages and in exports;
    ///   `imported` for the spans of all time that only imported logs cover; `encrypted` for the encrypted messages of all
    ///   time.
    package func gaps(
        rooms: [Int64]?, from lower: Int64 = .min, to upper: Int64 = .max, with others: [Gap.State] = [],
        _ db: ReadTransaction
    ) throws -> [Gap] {
        let hasPurges = try others.contains(.purged) && db.holds("SELECT EXISTS (SELECT 1 FROM purge)")
        return try CoveredRoom.read(db.visible(rooms), db).flatMap { room in
            var gaps = try outages(of: room, from: lower, to: upper, db).map { try filled($0, room, db) }
            if hasPurges {
                gaps += try Purge.between(lower, upper, room: room.id, of: account.name, db)
                    .map { Gap($0, room: room.name) }
            }
            if others.contains(.imported) { gaps += try imported(room, db) }
            if others.contains(.encrypted) { gaps += try encrypted(room, db) }
            return gaps
        }
    }

    /// Returns the gaps of all rooms, also of hidden ones, that last until now or until the room was left.
    package func current(_ db: ReadTransaction) throws -> [Gap] {
        try CoveredRoom.read(nil, db).flatMap { try outages(of: $0, from: .max, to: .max, db) }
            .filter(\.state.isMissing)
    }

    func isAlive(_ span: CoveredSpan) -> Bool {
        span.lastSignOfLife.map { now.since($0) <= Self.longestSilence && isWritten() } ?? false
    }

    /// Returns the gaps of a room between two instants, in order of time, without what was imported or replayed in them.
    private func outages(
        of room: CoveredRoom, from lower: Int64, to upper: Int64, _ db: ReadTransaction
    ) throws -> [Gap] {
        var gaps: [Gap] = []
        try CoveredSpan.sweep(room.id, from: lower, to: upper, db) { before, after -> Never? in
            switch (before, after) {
            case (nil, let first?): gaps += try [seam(room, before: first, db)].compactMap(\.self)
            case (let span?, let next?) where span.hasGap(before: next):
                gaps.append(gap(room, after: span, until: next.from, ahead: next.ahead, nextTry: span.nextTry))
            case (let span?, nil) where !isAlive(span): gaps += end(of: room, after: span)
            default: break
            }
            return nil
        }
        return gaps.filter { $0.from.microseconds < upper }
    }

    /// Returns the gap after a room's last span. If the room was left, the gap ends there, and nothing is missing since.
    private func end(of room: CoveredRoom, after span: CoveredSpan) -> [Gap] {
        guard let departure = room.departure else {
            return [gap(room, after: span, until: nil, nextTry: span.nextTry)]
        }
        let isComplete = departure.endsSpan(at: span.to, reason: span.reason)
        let end = isComplete ? span.to : departure.at
        let ended = Gap(
            account: account.name, room: room.name, from: Timestamp(microseconds: end), to: nil,
            kind: .ended(departure.reason))
        return isComplete ? [ended] : [gap(room, after: span, until: end, nextTry: nil), ended]
    }

    private func gap(
        _ room: CoveredRoom, after span: CoveredSpan, until end: Int64?, ahead: Int64 = 0, nextTry: Int64?
    ) -> Gap {
        let silence = span.lastSignOfLife.map { _ in isWritten() ? Gap.quiet : EndReason.crashed.rawValue }
        return Gap(
            account: account.name, room: room.name, from: Timestamp(microseconds: span.to),
            to: end.map(Timestamp.init(microseconds:)),
            kind: .gap(
                Gap.Missing(
                    reason: span.reason ?? silence, isOpen: end != nil && nextTry != nil,
                    // Without a listener, nobody tries again.
                    nextTry: nextTry.flatMap { isWritten() ? Timestamp(microseconds: $0) : nil },
                    unfilled: span.unfilled, detail: span.detail)),
            ahead: (span.ahead, ahead))
    }

    /// Returns the time between the last imported log that begins before a room's first span, and that span; nil if
    /// there is no such log, or if it reaches the span. Costs one look-up in the key of `imported_span`.
    private func seam(_ room: CoveredRoom, before first: CoveredSpan, _ db: ReadTransaction) throws -> Gap? {
        let log = try db.integer(
            "SELECT to_us FROM imported_span WHERE room_id = ?1 AND from_us < ?2 ORDER BY from_us DESC LIMIT 1",
            [.integer(room.id), .integer(first.from)])
        let begin = first.from &- first.ahead
        guard let log, log < begin, log + 1 < begin else { return nil }
        // The network gave all of its history, and that does not reach the log.
        let isAsked = room.fetchedBackTo.map { $0 <= log } ?? false
        return Gap(
            account: account.name, room: room.name, from: Timestamp(microseconds: log),
            to: Timestamp(microseconds: first.from),
            kind: .seam(Gap.Missing(unfilled: isAsked ? UnfilledReason.limit.rawValue : nil)),
            ahead: (0, first.ahead))
    }

    /// Returns the gap with what was imported and replayed in it.
    private func filled(_ gap: Gap, _ room: CoveredRoom, _ db: ReadTransaction) throws -> Gap {
        var filled = gap
        func imported() throws -> [Gap.Imported] {
            try ImportedSpans.between(gap.from.microseconds, gap.to?.microseconds ?? .max, room: room.id, db)
        }
        switch gap.kind {
        case .gap: filled.missing?.imported = try imported()
        case .ended(let reason, _): filled.kind = .ended(reason, imported: try imported())
        case .seam, .imported, .purged, .encrypted: break
        }
        if gap.missing != nil { filled.missing?.replayed = try Gap.Replayed(in: gap, room: room.id, db) }
        return filled
    }

    /// Returns the imported spans before a room's first span, or all of a room without spans.
    private func imported(_ room: CoveredRoom, _ db: ReadTransaction) throws -> [Gap] {
        let end = try CoveredSpan.first(room.id, db)?.from ?? .max
        return try ImportedSpans.between(.min, end, room: room.id, db).map { span in
            Gap(
                account: account.name, room: room.name, from: span.from,
                to: min(span.to, Timestamp(microseconds: end)), kind: .imported)
        }
    }

    /// Returns the time of a room's encrypted messages, from the first to the last.
    private func encrypted(_ room: CoveredRoom, _ db: ReadTransaction) throws -> [Gap] {
        guard let messages = try EncryptedMessages.read(room: room.id, db), let first = messages.first else {
            return []
        }
        return [
            Gap(
                account: account.name, room: room.name, from: first, to: messages.last,
                kind: .encrypted(messages: messages.count))
        ]
    }
}

extension [Gap] {
    package func inOrder() -> [Gap] {
        sorted { ($0.from, $0.account, $0.room) < ($1.from, $1.account, $1.room) }
    }
}
