/// The number of unread messages of a room, as a list of rooms shows it.
package struct UnreadCount: Sendable, Hashable {
    /// The count, at most ``limit``.
    package var count: Int64
    /// True if there are more, which were not counted.
    package var hasMore: Bool

    /// 100. Counting rows reads the sender of each message, 2 µs each *(measured)*, and an archive without read markers may
    /// have a thousand rooms with a thousand unread messages in a quarter of an hour. ``UnreadRoom`` counts further.
    package static let limit: Int64 = 100

    package init(count: Int64, hasMore: Bool) {
        (self.count, self.hasMore) = (count, hasMore)
    }
}
