/// The unread messages of a room. The account's own messages, joins, leaves, renames and modes don't count.
package struct UnreadRoom: Sendable, Hashable {
    package var account: String
    /// The room's number in the account's file.
    package var roomID: Int64
    package var room: String
    /// The count, at most ``countLimit``; see `hasMore`.
    package var unread: Int64
    /// True if there are more than `unread`, which weren't counted.
    package var hasMore: Bool
    /// The number of these messages that are older than the marker but were stored after it was set.
    package var late: Int64
    /// The earliest unread message after the marker; nil if there is none.
    package var firstUnread: MessageID?
    /// The earliest unread message before the marker; nil if there is none.
    package var firstLate: MessageID?
    /// The last message that was read, according to the marker; nil if nothing was ever marked.
    package var readThrough: MessageID?
    /// The time when the marker was set.
    package var markedAt: Timestamp?

    /// 10,000, more than users need to know, so that a room with a hundred million messages answers as fast as any.
    package static let countLimit: Int64 = 10_000

    package init(
        account: String, roomID: Int64, room: String, unread: Int64, hasMore: Bool, late: Int64,
        firstUnread: MessageID?, firstLate: MessageID?, readThrough: MessageID?, markedAt: Timestamp?
    ) {
        (self.account, self.roomID, self.room, self.unread, self.hasMore) = (account, roomID, room, unread, hasMore)
        (self.late, self.firstUnread, self.firstLate, self.readThrough) = (late, firstUnread, firstLate, readThrough)
        self.markedAt = markedAt
    }

    /// The message after which everything is unread; the beginning of time if nothing was ever marked.
    package var marker: MessageID {
        readThrough ?? MessageID(microseconds: .min)
    }

    package var key: RoomKey { RoomKey(account: account, id: roomID) }
}
