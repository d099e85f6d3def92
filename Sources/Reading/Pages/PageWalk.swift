package import ChatModel

/// Reads every page from an anchor on, one after the other, and holds one page at a time.
///
/// A page's cursor begins the next page, so no message is repeated or left out. Messages that are stored meanwhile
/// belong to a page if it was not read yet.
package struct PageWalk: Sendable {
    private let query: MessageQuery
    /// The start of the next page; nil at the end.
    private var anchor: MessageQuery.Anchor?
    /// The places of the gaps on the last page. A gap that reaches into the next page is on both.
    private var gaps: Set<Place> = []

    private struct Place: Hashable {
        let account: String
        let room: String
        let from: Timestamp

        init(_ gap: Gap) { (account, room, from) = (gap.account, gap.room, gap.from) }
    }

    /// - Parameter query: The first page, and the size of all pages. Its anchor is not `around`, which has two
    ///   directions.
    package init(_ query: MessageQuery) {
        self.query = query
        anchor = query.anchor
    }

    /// Returns the next page, with the gaps that no earlier page had; nil after the last page.
    ///
    /// - Parameter read: Returns a page.
    package mutating func next(_ read: (MessageQuery) throws -> Page) throws -> Page? {
        guard let start = anchor else { return nil }
        var page = try read(query.with(anchor: start))
        anchor = start.next(after: page)
        let earlier = gaps
        gaps = Set(page.gaps.map(Place.init))
        page.gaps.removeAll { earlier.contains(Place($0)) }
        return page
    }
}

extension MessageQuery.Anchor {
    /// Returns the anchor of the page after a page that began here; nil if it was the last one.
    fileprivate func next(after page: Page) -> MessageQuery.Anchor? {
        switch self {
        case .latest, .before: page.older.map { .before($0) }
        case .oldest, .after: page.newer.map { .after($0) }
        case .between(let start, let end) where start <= end: page.newer.map { .between($0, end) }
        case .between(_, let end): page.older.map { .between($0, end) }
        case .day(let day): page.newer.map { .between($0, MessageID(day.span.upperBound)) }
        case .around: nil
        }
    }

    /// The anchor for all messages of its time, from the oldest on; nil for `around`, which has no bounds.
    package var fromOldest: MessageQuery.Anchor? {
        switch self {
        case .latest, .oldest: .oldest
        case .before(let end): .between(MessageID(microseconds: .min), end)
        case .after, .day: self
        case .between(let a, let b): .between(min(a, b), max(a, b))
        case .around: nil
        }
    }
}
