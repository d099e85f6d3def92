import ChatModel
import GRDB

/// What one account has for a page, or several have together, before it is known how much of it the page takes.
struct PagePart: Sendable {
    /// Up to one message more than the page takes, before its anchor and from it on; in the order (id, account name).
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

extension PagePart {
    /// What another account has besides; what no page takes any more is left out.
    mutating func add(_ other: PagePart, limit: Int) {
        before = before.isEmpty ? other.before : (before + other.before).merged()
        after = after.isEmpty ? other.after : (after + other.after).merged()
        // One more than fits, for how the page goes on.
        before = Array(before.suffix(Run(messages: before).cutToLatest(limit).messages.count + 1))
        after = Array(after.prefix(Run(messages: after).cutToEarliest(limit).messages.count + 1))
        olderExists = olderExists || other.olderExists
        newerExists = newerExists || other.newerExists
    }

    /// Between these, both left out, lies the time that a page of it speaks for, whatever else comes to it.
    func bounds(_ query: MessageQuery) -> (lower: Int64, upper: Int64) {
        let (start, end) = query.anchor.bounds
        return (
            (before.count > query.limit ? before.first?.id : start)?.microseconds ?? .min,
            (after.count > query.limit ? after.last?.id : end)?.microseconds ?? .max
        )
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

    init(_ query: MessageQuery, _ part: PagePart) {
        var (before, after) = (Run(messages: part.before), Run(messages: part.after))
        // Only around an instant are there both; what one side has too few of, the other side gives.
        let half = max(query.limit / 2, query.limit - after.messages.count)
        before = before.cutToLatest(after.messages.isEmpty ? query.limit : half)
        after = after.cutToEarliest(max(query.limit - before.messages.count, 0))
        messages = before.messages + after.messages

        let (start, end) = query.anchor.bounds
        let (first, last) = (messages.first?.id, messages.last?.id)
        let olderExists = before.beyond != nil || part.olderExists
        let newerExists = after.beyond != nil || part.newerExists
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
