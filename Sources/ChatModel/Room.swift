/// A room as the archive knows it.
package struct Room: Sendable, Hashable {
    package var account: String
    package var network: String
    /// The store's number, in one account.
    package var id: Int64
    package var name: String
    package var kind: RoomReference.Kind
    package var messages: Int64
    package var firstMessage: MessageID?
    package var lastMessage: MessageID?
    /// The beginning of the archive: before it is "not archived", not a gap. Nil while nothing was ever covered.
    package var coveredFrom: Timestamp?

    package init(
        account: String, network: String, id: Int64, name: String, kind: RoomReference.Kind, messages: Int64,
        firstMessage: MessageID?, lastMessage: MessageID?, coveredFrom: Timestamp?
    ) {
        self.account = account
        self.network = network
        self.id = id
        self.name = name
        self.kind = kind
        self.messages = messages
        self.firstMessage = firstMessage
        self.lastMessage = lastMessage
        self.coveredFrom = coveredFrom
    }
}
