/// A room as the archive has it.
package struct Room: Sendable, Hashable {
    package var account: String
    package var network: String
    /// The room's number in the account's file.
    package var id: Int64
    package var name: String
    /// The present name; nil on networks without workspaces.
    package var workspace: String?
    package var kind: RoomReference.Kind
    /// The number of messages.
    package var messages: Int64
    /// The first message; nil in an empty room.
    package var firstMessage: MessageID?
    /// The newest message; nil in an empty room.
    package var lastMessage: MessageID?
    /// The unread messages; nil when they weren't counted.
    package var unread: UnreadCount?
    /// The beginning of coverage: earlier times are "not archived", not a gap. Nil while nothing was ever covered.
    package var coveredFrom: Timestamp?
    /// The time since which the account is no longer in it; nil while it is.
    package var leftAt: Timestamp?
    /// The time since which the network no longer has it; nil while it does.
    package var goneAt: Timestamp?
    /// The reason why it is not heard, or why its history is unavailable; nil when everything is well.
    package var trouble: RoomTrouble?

    package init(
        account: String, network: String, id: Int64, name: String, workspace: String? = nil, kind: RoomReference.Kind,
        messages: Int64,
        firstMessage: MessageID?, lastMessage: MessageID?, unread: UnreadCount? = nil, coveredFrom: Timestamp?,
        leftAt: Timestamp? = nil, goneAt: Timestamp? = nil, trouble: RoomTrouble? = nil
    ) {
        (self.account, self.network, self.id, self.name, self.workspace) = (account, network, id, name, workspace)
        (self.kind, self.messages, self.firstMessage, self.lastMessage) = (kind, messages, firstMessage, lastMessage)
        (self.unread, self.coveredFrom, self.leftAt, self.goneAt) = (unread, coveredFrom, leftAt, goneAt)
        self.trouble = trouble
    }
}
