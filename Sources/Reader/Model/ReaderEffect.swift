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

/// The facts that a reader has from its command.
package struct ReaderSettings: Sendable {
    /// The zone of times.
    package var zone: Zone
    /// True if the archive's files are watched, so that new messages appear.
    package var isWatched: Bool
    /// The reason why nothing can be marked as read; nil if it can.
    package var marksNothing: String?
    /// The options to repeat in a command that opens a place.
    package var given: [String] = []
    /// The names of bots, which can be hidden.
    package var hidden: HiddenMessages = []
    package var names = MessageQuery.Names.then
    /// Returns the present time.
    package var now: @Sendable () -> Timestamp

    package init(
        zone: Zone, isWatched: Bool, marksNothing: String? = nil, given: [String] = [],
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        (self.zone, self.isWatched, self.marksNothing, self.given) = (zone, isWatched, marksNothing, given)
        self.now = now
    }
}
