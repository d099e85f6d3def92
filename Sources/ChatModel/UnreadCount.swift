/// How many messages of a room are unread, as a list of rooms tells it.
package struct UnreadCount: Sendable, Hashable {
    /// At most ``limit``.
    package var count: Int64
    /// There are more, which were not counted.
    package var hasMore: Bool

    /// Counting stops here: every message is looked at for who sent it, 2 µs each *(measured)*, and where nobody marks
    /// anything there are a thousand rooms with a thousand. ``UnreadRoom`` counts on.
    package static let limit: Int64 = 100

    package init(count: Int64, hasMore: Bool) {
        (self.count, self.hasMore) = (count, hasMore)
    }
}
