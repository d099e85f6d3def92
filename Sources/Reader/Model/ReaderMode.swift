import ChatModel

/// What the keys and the middle of the screen are for.
enum ReaderMode: Sendable {
    /// The history of the room.
    case reading
    /// A search is typed; its hits are shown.
    case searching(LineInput)
    /// A date is typed.
    case date(DatePrompt)
    /// A part of a room's name is typed, or a room is chosen from the list.
    case choosingRoom(RoomChooser)
    /// A text, such as the details of a message.
    case text(TextView)
    /// A month with the numbers of messages.
    case month(MonthView)
    /// The conversation of a message.
    case conversation(ConversationView)
    /// One of several links is chosen by its number.
    case links(LinkChoice)
}
