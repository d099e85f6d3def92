import ChatModel

/// The line between what was read of a room and what was not.
struct ReadSeparator: Sendable {
    /// What is later stands below the line.
    let through: MessageID
    private let unread: UnreadRoom

    init(_ unread: UnreadRoom) {
        self.unread = unread
        through = unread.readThrough ?? MessageID(microseconds: .min)
    }

    func text(time: LocalTime) -> String {
        let since =
            unread.readThrough.map { " since \(time.dayAndSecond($0.time))" } ?? ", nothing was marked as read yet"
        return "=== \(unread.count) unread\(since) ==="
    }
}
