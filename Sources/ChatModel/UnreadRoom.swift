/// What nobody has marked as read in a room. The account's own messages, joins, leaves, renames and modes don't count.
package struct UnreadRoom: Sendable, Hashable {
    package var account: String
    package var roomID: Int64
    package var room: String
    /// At most ``countLimit``; see `hasMore`.
    package var unread: Int64
    /// There are more than `unread`, which were not counted.
    package var hasMore: Bool
    /// How many of them were stored after the marker was set and belong before it.
    package var late: Int64
    /// The earliest unread message after the marker; nil when there is none.
    package var firstUnread: MessageID?
    /// The earliest unread message before the marker; nil when there is none.
    package var firstLate: MessageID?
    /// The last message that was read, as the marker says; nil when nothing was ever marked.
    package var readThrough: MessageID?
    /// When the marker was set.
    package var markedAt: Timestamp?

    /// Counting stops here: nobody reads the number of more, and a room of a hundred million is told as fast as any.
    package static let countLimit: Int64 = 10_000

    package init(
        account: String, roomID: Int64, room: String, unread: Int64, hasMore: Bool, late: Int64,
        firstUnread: MessageID?, firstLate: MessageID?, readThrough: MessageID?, markedAt: Timestamp?
    ) {
        self.account = account
        self.roomID = roomID
        self.room = room
        self.unread = unread
        self.hasMore = hasMore
        self.late = late
        self.firstUnread = firstUnread
        self.firstLate = firstLate
        self.readThrough = readThrough
        self.markedAt = markedAt
    }

    /// Everything later is unread; the beginning of time when nothing was ever marked.
    package var marker: MessageID {
        readThrough ?? MessageID(microseconds: .min)
    }
}
