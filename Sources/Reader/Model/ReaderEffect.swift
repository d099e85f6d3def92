package import ChatModel

/// What the program does after a key or an answer.
package enum ReaderEffect: Sendable, Hashable {
    case ask(ReaderRequest)
    /// Marks a room as read up to a message.
    case markRead(RoomKey, through: MessageID)
    /// Gives a text to the terminal's clipboard.
    case copy(String)
    /// Opens a link, which ``BodyLink`` found to be safe.
    case open(String)
    /// Draws everything again.
    case redraw
    case suspend
    case quit
}
