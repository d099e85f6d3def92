import ChatModel
import Files
import Reading

/// Reads pages of one room, also around messages that are damaged: each of these becomes a gap.
struct PageOfRoom {
    private let reading: ArchiveReading
    private let room: RoomKey

    /// 20. A file with more damaged messages in a row needs a rescue.
    private static let mostDamaged = 20

    init(_ reading: ArchiveReading, _ room: RoomKey) { (self.reading, self.room) = (reading, room) }

    /// Returns a page, which is shorter than its limit before damage.
    ///
    /// - Throws: ``ArchiveError`` for damage that is not that of single messages.
    func page(_ query: MessageQuery) throws -> Page {
        do {
            return try reading.page(query)
        } catch let error as ArchiveError where error.code == .corrupt {
            switch query.anchor {
            case .around(let id): return try around(id, query, error)
            case .latest: return try pass(query, from: MessageID(microseconds: .max), isForward: false, error)
            case .oldest: return try pass(query, from: MessageID(microseconds: .min), isForward: true, error)
            case .before(let id): return try pass(query, from: id, isForward: false, error)
            case .after(let id): return try pass(query, from: id, isForward: true, error)
            case .between, .day: throw error
            }
        }
    }

    private func around(_ id: MessageID, _ query: MessageQuery, _ error: ArchiveError) throws -> Page {
        let half = max(1, query.limit / 2)
        let earlier = try page(query.with(anchor: .before(id), limit: half))
        let start = MessageID(id.time.advanced(byMicroseconds: -1))
        let later = try page(query.with(anchor: .after(start), limit: half))
        let gaps = earlier.gaps.filter { !later.gaps.contains($0) } + later.gaps
        return Page(
            messages: earlier.messages + later.messages, older: earlier.older, newer: later.newer, gaps: gaps)
    }

    /// Reads from a cursor on in one direction, with a gap for each damaged message.
    private func pass(
        _ query: MessageQuery, from start: MessageID, isForward: Bool, _ error: ArchiveError
    ) throws -> Page {
        var (cursor, damaged) = (start, [Gap]())
        while damaged.count < Self.mostDamaged {
            if var page = try readable(query, from: cursor, isForward: isForward) {
                page.gaps = (page.gaps + damaged).sorted { $0.from < $1.from }
                return page
            }
            let place = try firstDamage(query, from: cursor, isForward: isForward, error)
            let whole = try reading.page(query.with(anchor: .between(cursor, place), limit: 2))
            damaged.append(gap(at: place))
            guard whole.messages.isEmpty else {
                return Page(
                    messages: whole.messages, older: isForward ? whole.messages.first?.id : place,
                    newer: isForward ? place : whole.messages.last?.id, gaps: whole.gaps + damaged)
            }
            cursor = place
        }
        throw error
    }

    /// Returns the longest readable page up to the query's limit; nil if a page of one message can't be read.
    private func readable(_ query: MessageQuery, from cursor: MessageID, isForward: Bool) throws -> Page? {
        var limit = query.limit
        while limit > 0 {
            do {
                return try reading.page(query.with(anchor: isForward ? .after(cursor) : .before(cursor), limit: limit))
            } catch let error as ArchiveError where error.code == .corrupt {
                limit /= 2
            }
        }
        return nil
    }

    /// Returns the id of the first damaged message from a cursor on, found by halving the time.
    private func firstDamage(
        _ query: MessageQuery, from cursor: MessageID, isForward: Bool, _ error: ArchiveError
    ) throws -> MessageID {
        let start = cursor.microseconds
        let end = isForward ? Int64.max - 1 : Int64.min + 1
        func isReadable(_ edge: Int64) throws -> Bool {
            do {
                let anchor = MessageQuery.Anchor.between(cursor, MessageID(microseconds: edge))
                _ = try reading.page(query.with(anchor: anchor, limit: 1))
                return true
            } catch let error as ArchiveError where error.code == .corrupt {
                return false
            }
        }
        // The edge of a page is excluded: `good` can be read, and `bad` has the damaged message.
        var (good, bad) = (start, end)
        guard try isReadable(isForward ? start.saturating(1) : start.saturating(-1)) else { throw error }
        while good.distanceMagnitude(to: bad) > 1 {
            let middle = good.middle(to: bad)
            if try isReadable(middle) { good = middle } else { bad = middle }
        }
        return MessageID(microseconds: good)
    }

    private func gap(at place: MessageID) -> Gap {
        Gap(
            account: room.account, room: "", from: place.time, to: place.time.advanced(byMicroseconds: 1),
            kind: .gap(Gap.Missing(reason: "damaged")))
    }
}

extension Int64 {
    fileprivate func saturating(_ step: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(step)
        return overflow ? self : sum
    }

    fileprivate func distanceMagnitude(to other: Int64) -> UInt64 {
        let (a, b) = (UInt64(bitPattern: self), UInt64(bitPattern: other))
        return self < other ? b &- a : a &- b
    }

    /// Returns the number in the middle, rounded towards this one.
    fileprivate func middle(to other: Int64) -> Int64 {
        let half = Int64(distanceMagnitude(to: other) / 2)
        return self < other ? self &+ half : self &- half
    }
}
