import ChatModel

/// The conversation of a message, above the history.
struct ConversationView: Sendable {
    private(set) var pane: Pane

    /// The result of a key.
    enum Result: Sendable, Hashable {
        case stay, close
        /// The place of a message in its room.
        case open(RoomKey, MessageID)
    }

    /// Nil for a message without replies.
    init?(_ thread: MessageThread, look: Pane.Look, height: Int) {
        guard thread.page.messages.count > 1 else { return nil }
        pane = Pane(look: look, height: height)
        var window = thread.page
        // Between the messages of a conversation are those of others; their gaps belong to the room.
        window.gaps = []
        pane.show(HistoryWindow(window))
        pane.toStart()
    }

    /// Breaks the messages into lines again, for another size.
    mutating func change(look: Pane.Look, height: Int) { pane.change(look: look, height: height) }

    /// Handles a key.
    mutating func press(_ key: ReaderKey) -> Result {
        switch key {
        case .home: pane.toStart()
        case .end: pane.toEnd()
        case .enter:
            guard let message = pane.selectedRow?.message else { return .close }
            return .open(RoomKey(account: message.account, id: message.roomID), message.id)
        default: return pane.press(key) ? .stay : .close
        }
        return .stay
    }
}
