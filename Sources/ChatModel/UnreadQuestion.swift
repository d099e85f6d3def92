/// A question to a network: the number of unread messages in a room since an instant.
package struct UnreadQuestion: Sendable, Hashable, Codable {
    /// The room's number in the account's file.
    package var room: Int64
    /// The network's id of the room.
    package var key: String
    /// The network's id of the room's workspace; nil if it has none.
    package var workspace: String?
    /// The time of our read marker; the beginning of 1970 if nothing was ever marked.
    package var since: Timestamp

    package init(room: Int64, key: String, workspace: String?, since: Timestamp) {
        (self.room, self.key, self.workspace, self.since) = (room, key, workspace, since)
    }
}

/// The network's answer: a count or an error.
package struct UnreadAnswer: Sendable, Hashable, Codable {
    /// The room's number in the account's file.
    package var room: Int64
    /// The count; nil if the request failed.
    package var count: Int?
    /// The reason of a failure, for people; nil for a count.
    package var error: String?

    package init(room: Int64, count: Int) {
        (self.room, self.count) = (room, count)
    }

    package init(room: Int64, error: String) {
        (self.room, self.error) = (room, error)
    }
}
