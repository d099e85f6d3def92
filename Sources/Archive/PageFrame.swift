import ChatModel
import GRDB

/// What one account has for a page, before it is known how much of it the page takes.
struct PagePart: Sendable {
    /// Up to one message more than the page takes, before its anchor and from it on; in time order.
    var before: [Message] = []
    var after: [Message] = []
    /// Whether there is anything on the other side of an anchor that is paged away from.
    var olderExists = false
    var newerExists = false

    static func read(_ query: MessageQuery, _ pages: PageReader, _ db: Database) throws -> PagePart {
        let count = query.limit + 1
        switch query.anchor {
        case .latest:
            return PagePart(before: try pages.backward(from: nil, count: count, db))
        case .oldest:
            return PagePart(after: try pages.forward(from: nil, count: count, db))
        case .before(let id):
            return PagePart(
                before: try pages.backward(from: id.microseconds, count: count, db),
                newerExists: try pages.hasAny(after: id.earlier.microseconds, db))
        case .after(let id):
            return PagePart(
                after: try pages.forward(from: id.microseconds, count: count, db),
                olderExists: try pages.hasAny(before: id.later.microseconds, db))
        case .around(let id):
            return PagePart(
                before: try pages.backward(from: id.microseconds, count: count, db),
                after: try pages.forward(from: id.earlier.microseconds, count: count, db))
        case .between(let start, let end) where start <= end:
            return PagePart(
                after: try pages.forward(from: start.microseconds, before: end.microseconds, count: count, db))
        case .between(let start, let end):
            return PagePart(
                before: try pages.backward(from: start.microseconds, after: end.microseconds, count: count, db))
        }
    }
}

/// Which messages a page has, how to go on from it, and the time that it speaks for.
struct PageFrame {
    let messages: [Message]
    let older: MessageID?
    let newer: MessageID?
    /// Between these, both left out, the page's gaps lie.
    let lower: Int64
    let upper: Int64

    init(_ query: MessageQuery, _ parts: [PagePart]) {
        var before = Run(messages: parts.count == 1 ? parts[0].before : parts.flatMap(\.before).merged())
        var after = Run(messages: parts.count == 1 ? parts[0].after : parts.flatMap(\.after).merged())
        // Only around an instant are there both; what one side has too few of, the other side gives.
        let half = max(query.limit / 2, query.limit - after.messages.count)
        before = before.cutToLatest(after.messages.isEmpty ? query.limit : half)
        after = after.cutToEarliest(max(query.limit - before.messages.count, 0))
        messages = before.messages + after.messages

        let (start, end) = query.anchor.bounds
        let (first, last) = (messages.first?.id, messages.last?.id)
        let olderExists = before.beyond != nil || parts.contains(where: \.olderExists)
        let newerExists = after.beyond != nil || parts.contains(where: \.newerExists)
        // An empty page goes on from its anchor, which is exclusive: one microsecond aside.
        older = olderExists ? first ?? start?.later : nil
        newer = newerExists ? last ?? end?.earlier : nil
        lower = before.beyond ?? start?.microseconds ?? .min
        upper = after.beyond ?? end?.microseconds ?? .max
    }
}

extension MessageQuery.Anchor {
    /// What the anchor itself excludes, on either side.
    fileprivate var bounds: (start: MessageID?, end: MessageID?) {
        switch self {
        case .latest, .oldest, .around: (nil, nil)
        case .before(let id): (nil, id)
        case .after(let id): (id, nil)
        case .between(let a, let b): (min(a, b), max(a, b))
        }
    }
}

extension MessageID {
    fileprivate var earlier: MessageID { MessageID(time.advanced(byMicroseconds: -1)) }
    fileprivate var later: MessageID { MessageID(time.advanced(byMicroseconds: 1)) }
}
