import ChatModel
import Schema

/// The messages of one or several accounts from which a page is made.
struct PagePart: Sendable {
    /// The messages before the anchor, sorted by (id, account name). Up to one more than the page takes.
    var before: [Message] = []
    /// The messages from the anchor on, sorted by (id, account name). Up to one more than the page takes.
    var after: [Message] = []
    /// True if the other side of the anchor has messages, for anchors that page away from it.
    var olderExists = false
    var newerExists = false
    /// The nearest messages before and after a page's day.
    var beforeDay: MessageID?
    var afterDay: MessageID?

    /// Reads an account's messages.
    ///
    /// - Parameters:
    ///   - lower: The page does not reach back to this instant, because the accounts before fill it.
    ///   - upper: The page does not reach this instant, for the same reason.
    static func read(
        _ query: MessageQuery, after lower: Int64 = .min, before upper: Int64 = .max, _ pages: PageReader,
        _ db: ReadTransaction
    ) throws -> PagePart {
        let count = query.limit + 1
        func backward(from end: MessageID?, after start: MessageID? = nil) throws -> [Message] {
            try pages.backward(
                from: end?.microseconds, after: max(lower, start?.microseconds ?? .min), count: count, db)
        }
        func forward(from start: MessageID?, before end: MessageID? = nil) throws -> [Message] {
            try pages.forward(
                from: start?.microseconds, before: min(upper, end?.microseconds ?? .max), count: count, db)
        }
        switch query.anchor {
        case .latest: return PagePart(before: try backward(from: nil))
        case .oldest: return PagePart(after: try forward(from: nil))
        case .before(let id):
            return PagePart(
                before: try backward(from: id), newerExists: try pages.hasAny(after: id.earlier.microseconds, db))
        case .after(let id):
            return PagePart(
                after: try forward(from: id), olderExists: try pages.hasAny(before: id.later.microseconds, db))
        case .around(let id): return PagePart(before: try backward(from: id), after: try forward(from: id.earlier))
        case .between(let start, let end) where start <= end:
            return PagePart(after: try forward(from: start, before: end))
        case .between(let start, let end): return PagePart(before: try backward(from: start, after: end))
        case .day(let day):
            let (start, end) = (MessageID(day.span.lowerBound), MessageID(day.span.upperBound))
            return PagePart(
                after: try forward(from: start.earlier, before: end),
                beforeDay: try pages.nearest(before: start.microseconds, db),
                afterDay: try pages.nearest(after: end.earlier.microseconds, db))
        }
    }
}

extension PagePart {
    /// Adds another account's messages, and drops those that the page can't take.
    mutating func add(_ other: PagePart, size: PageSize) {
        before = before.isEmpty ? other.before : (before + other.before).merged()
        after = after.isEmpty ? other.after : (after + other.after).merged()
        // One more than fits shows whether the page continues.
        before.removeFirst(max(0, before.count - MessageRun(before).cutToLatest(size).messages.count - 1))
        after.removeLast(max(0, after.count - MessageRun(after).cutToEarliest(size).messages.count - 1))
        olderExists = olderExists || other.olderExists
        newerExists = newerExists || other.newerExists
        beforeDay = [beforeDay, other.beforeDay].compactMap(\.self).max()
        afterDay = [afterDay, other.afterDay].compactMap(\.self).min()
    }

    /// Returns the exclusive bounds of the time that a page of these messages can cover, even if more accounts are
    /// added.
    func bounds(_ query: MessageQuery, _ size: PageSize) -> (lower: Int64, upper: Int64) {
        let (start, end) = query.anchor.bounds
        // Messages with equal ids may exceed the limit, and the page has them all.
        return (
            MessageRun(before).cutToLatest(size).beyond ?? start?.microseconds ?? .min,
            MessageRun(after).cutToEarliest(size).beyond ?? end?.microseconds ?? .max
        )
    }
}

/// The messages of a page, its cursors, and the time that it covers.
struct PageFrame {
    let messages: [Message]
    let older: MessageID?
    let newer: MessageID?
    /// The exclusive bounds of the page's gaps, in microseconds since 1970.
    let lower: Int64
    let upper: Int64

    init(_ query: MessageQuery, _ part: PagePart, _ size: PageSize) {
        var (before, after) = (MessageRun(part.before), MessageRun(part.after))
        // Only a page around an instant has both. A side with too few messages leaves its places to the other.
        before = before.cutToLatest(after.messages.isEmpty ? size : size.half(beside: after))
        after = after.cutToEarliest(size.rest(beside: before))
        messages = after.messages.isEmpty ? Array(before.messages) : Array(before.messages) + after.messages

        let (start, end) = query.anchor.bounds
        let (first, last) = (messages.first?.id, messages.last?.id)
        let olderExists = before.beyond != nil || part.olderExists
        let newerExists = after.beyond != nil || part.newerExists
        // An empty page continues from its anchor, moved by one microsecond because cursors are exclusive.
        older = olderExists ? first ?? start?.later : nil
        newer = newerExists ? last ?? end?.earlier : nil
        lower = before.beyond ?? start?.microseconds ?? .min
        upper = after.beyond ?? end?.microseconds ?? .max
    }
}

extension MessageQuery.Anchor {
    /// The bounds that the anchor itself sets, both exclusive.
    fileprivate var bounds: (start: MessageID?, end: MessageID?) {
        switch self {
        case .latest, .oldest, .around: (nil, nil)
        case .before(let id): (nil, id)
        case .after(let id): (id, nil)
        case .between(let a, let b): (min(a, b), max(a, b))
        case .day(let day): (MessageID(day.span.lowerBound).earlier, MessageID(day.span.upperBound))
        }
    }
}

extension MessageID {
    fileprivate var earlier: MessageID { MessageID(time.advanced(byMicroseconds: -1)) }
    fileprivate var later: MessageID { MessageID(time.advanced(byMicroseconds: 1)) }
}
