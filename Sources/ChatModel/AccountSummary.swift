/// The contents and the place of an account's archive.
package struct AccountSummary: Sendable, Hashable {
    package var account: String
    package var network: String
    /// `hot` for an uncompressed file, `cold` for a compressed one, `encrypted` for a compressed one that is encrypted,
    /// `shared` for the copy in a shared archive.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case hot, cold, encrypted, shared
    }

    /// The path of the account's folder. A copy of the whole folder, made while no process writes it, is a backup. In a
    /// shared archive, only the folder's name.
    package var folder: String
    /// The time when the archive was created, by its machine's clock.
    package var createdAt: Timestamp
    /// The number of messages.
    package var messages: Int64
    /// The number of rooms.
    package var rooms: Int64
    /// The first message; nil in an empty archive.
    package var firstMessage: MessageID?
    /// The newest message; nil in an empty archive.
    package var lastMessage: MessageID?
    /// The state of its file or copy.
    package var state: State
    /// The size of the uncompressed file in bytes; while the account is hot, with its write-ahead log; 0 for a copy in
    /// a shared archive, which has no file.
    package var bytes: Int64
    /// The size of the compressed file in bytes; nil while the account is hot.
    package var coldBytes: Int64?
    /// The time of the last read or write, to within a minute; in a shared archive, when the copy was last complete;
    /// nil if unknown.
    package var usedAt: Timestamp?
    /// True if a process has the file open, so that it can't be compressed.
    package var isInUse = false
    /// The name of the process that writes the file; empty if the process gives no name, nil if no process writes.
    package var writer: String?

    package init(
        account: String, network: String, folder: String, createdAt: Timestamp, messages: Int64, rooms: Int64,
        firstMessage: MessageID?, lastMessage: MessageID?, state: State, bytes: Int64, coldBytes: Int64? = nil,
        writer: String?
    ) {
        (self.account, self.network, self.folder, self.createdAt) = (account, network, folder, createdAt)
        (self.messages, self.rooms, self.firstMessage) = (messages, rooms, firstMessage)
        (self.lastMessage, self.state, self.bytes, self.coldBytes) = (lastMessage, state, bytes, coldBytes)
        self.writer = writer
    }
}
