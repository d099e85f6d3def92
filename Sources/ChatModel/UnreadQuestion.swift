/// What to ask a network about one room: how much is unread in it since an instant.
package struct UnreadQuestion: Sendable, Hashable, Codable {
    /// The store's number of the room.
    package var room: Int64
    /// What the network knows the room by.
    package var key: String
    /// What it knows the room's workspace by; nil where it has none.
    package var workspace: String?
    /// Our read marker's time; the beginning of 1970 where nothing was ever marked.
    package var since: Timestamp

    package init(room: Int64, key: String, workspace: String?, since: Timestamp) {
        (self.room, self.key, self.workspace, self.since) = (room, key, workspace, since)
    }
}

/// What the network said: a count, or why there is none.
package struct UnreadAnswer: Sendable, Hashable, Codable {
    /// The store's number of the room.
    package var room: Int64
    package var count: Int?
    /// For people.
    package var error: String?

    package init(room: Int64, count: Int) {
        (self.room, self.count) = (room, count)
    }

    package init(room: Int64, error: String) {
        (self.room, self.error) = (room, error)
    }
}
