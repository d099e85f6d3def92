/// A room as the archive knows it.
package struct Room: Sendable, Hashable {
    package var account: String
    package var network: String
    /// The store's number, in one account.
    package var id: Int64
    package var name: String
    /// What it is called now; nil on networks that have none.
    package var workspace: String?
    package var kind: RoomReference.Kind
    package var messages: Int64
    package var firstMessage: MessageID?
    package var lastMessage: MessageID?
    /// What nobody has marked as read; nil where it was not counted.
    package var unread: UnreadCount?
    /// The beginning of the archive: before it is "not archived", not a gap. Nil while nothing was ever covered.
    package var coveredFrom: Timestamp?
    /// Since when it is not among ours any more; nil while it is.
    package var leftAt: Timestamp?
    /// Since when the network has it no more; nil while it does.
    package var goneAt: Timestamp?
    /// Why it is not heard, else why its history can't be had; nil where nothing is amiss.
    package var trouble: RoomTrouble?

    package init(
        account: String, network: String, id: Int64, name: String, workspace: String? = nil, kind: RoomReference.Kind,
        messages: Int64,
        firstMessage: MessageID?, lastMessage: MessageID?, unread: UnreadCount? = nil, coveredFrom: Timestamp?,
        leftAt: Timestamp? = nil, goneAt: Timestamp? = nil, trouble: RoomTrouble? = nil
    ) {
        self.account = account
        self.network = network
        self.id = id
        self.name = name
        self.workspace = workspace
        self.kind = kind
        self.messages = messages
        self.firstMessage = firstMessage
        self.lastMessage = lastMessage
        self.unread = unread
        self.coveredFrom = coveredFrom
        self.leftAt = leftAt
        self.goneAt = goneAt
        self.trouble = trouble
    }
}
