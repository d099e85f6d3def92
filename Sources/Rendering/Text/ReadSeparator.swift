package import ChatModel

/// The line between the read and the unread messages of a room.
package struct ReadSeparator: Sendable, Hashable {
    private let unread: UnreadRoom

    package init(_ unread: UnreadRoom) {
        self.unread = unread
    }

    /// Returns true if the line is above the message.
    func isBefore(_ message: Message) -> Bool {
        message.id > unread.marker
    }

    /// Returns true if the line is above the gap.
    func isBefore(_ gap: Gap) -> Bool {
        gap.from >= unread.marker.time
    }

    /// Returns the words of the line: `12 unread since 2026-11-21 06:23:11`.
    package func text(time: LocalTime) -> String {
        let since =
            unread.readThrough.map { " since \(time.dayAndSecond($0.time))" } ?? ", nothing was marked as read yet"
        return "\(unread.count) unread\(since)"
    }
}
