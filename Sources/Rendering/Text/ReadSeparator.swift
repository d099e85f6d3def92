package import ChatModel

/// The line between what was read of a room and what was not.
package struct ReadSeparator: Sendable, Hashable {
    private let unread: UnreadRoom

    package init(_ unread: UnreadRoom) {
        self.unread = unread
    }

    /// Whether the line stands above the message.
    func isBefore(_ message: Message) -> Bool {
        message.id > unread.marker
    }

    /// Whether the line stands above the gap.
    func isBefore(_ gap: Gap) -> Bool {
        gap.from >= unread.marker.time
    }

    package func text(time: LocalTime) -> String {
        let since =
            unread.readThrough.map { " since \(time.dayAndSecond($0.time))" } ?? ", nothing was marked as read yet"
        return "\(unread.count) unread\(since)"
    }
}
