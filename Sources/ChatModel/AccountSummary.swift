/// What an account's archive holds, and where.
package struct AccountSummary: Sendable, Hashable {
    package var account: String
    package var network: String
    package enum State: String, Sendable, Hashable, CaseIterable {
        case hot, cold
    }

    /// The path of the account's folder; copied whole while no process writes it, it is a backup.
    package var folder: String
    /// When the archive was made, by the clock of its machine.
    package var createdAt: Timestamp
    package var messages: Int64
    package var rooms: Int64
    package var firstMessage: MessageID?
    package var lastMessage: MessageID?
    /// Whether its file is plain or compressed.
    package var state: State
    /// Of the plain file, and of its sidecars while it is hot.
    package var bytes: Int64
    /// Of the compressed file; nil while it is hot.
    package var coldBytes: Int64?
    /// When it was read or written last, to within a minute; nil where that is not known.
    package var usedAt: Timestamp?
    /// Whether some process has it open, so that it can't be evicted.
    package var isInUse = false
    /// The process that writes it, as it calls itself; empty when it does not say, nil when none does.
    package var writer: String?

    package init(
        account: String, network: String, folder: String, createdAt: Timestamp, messages: Int64, rooms: Int64,
        firstMessage: MessageID?, lastMessage: MessageID?, state: State, bytes: Int64, coldBytes: Int64? = nil,
        writer: String?
    ) {
        self.account = account
        self.network = network
        self.folder = folder
        self.createdAt = createdAt
        self.messages = messages
        self.rooms = rooms
        self.firstMessage = firstMessage
        self.lastMessage = lastMessage
        self.state = state
        self.bytes = bytes
        self.coldBytes = coldBytes
        self.writer = writer
    }
}
