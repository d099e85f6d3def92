/// A message as a reader gets it, names resolved.
package struct Message: Sendable, Hashable {
    package struct Sender: Sendable, Hashable {
        /// The store's number for the user, in one account.
        package var id: Int64
        package var name: String
        package var isSelf: Bool

        package init(id: Int64, name: String, isSelf: Bool) {
            self.id = id
            self.name = name
            self.isSelf = isSelf
        }
    }

    /// Which message another one answers.
    package struct Reply: Sendable, Hashable {
        /// The network's.
        package var remoteID: String
        /// Nil where it is not stored, and then so are the others.
        package var id: MessageID?
        package var sender: String?
        /// The beginning of what it says now, at most ``excerpt`` code points.
        package var body: String?

        package init(remoteID: String, id: MessageID? = nil, sender: String? = nil, body: String? = nil) {
            (self.remoteID, self.id, self.sender, self.body) = (remoteID, id, sender, body)
        }

        package static let excerpt = 200
    }

    /// What some people reacted with.
    package struct Reaction: Sendable, Hashable {
        package var text: String
        /// Who did, as they are called today, in order of time.
        package var by: [String]

        package init(text: String, by: [String]) {
            (self.text, self.by) = (text, by)
        }

        /// So many reactions of a message are read, the first; no network that we know lets as many be seen.
        package static let limit = 1000
    }

    package var id: MessageID
    package var account: String
    package var network: String
    /// What it is called now; nil on networks that have none.
    package var workspace: String?
    package var roomID: Int64
    package var room: String
    package var kind: MessageKind
    /// Nil for `system`.
    package var sender: Sender?
    package var body: String?
    package var remoteID: String?
    package var receivedAt: Timestamp
    /// The network's claim where it differs from the id's time.
    package var sourceTime: Timestamp?
    package var flags: MessageFlags
    /// Since when it says this; nil for what it said at first.
    package var editedAt: Timestamp?
    /// Nil while it is there; else its body is the last that it had.
    package var deletedAt: Timestamp?
    package var attachments: [Attachment]
    /// Nil where it answers none.
    package var reply: Reply?
    /// In the order of the first of each that stands.
    package var reactions: [Reaction]

    /// The time to show: the id's, or the time of receipt where the id is known to be later than the message.
    package var time: Timestamp { flags.contains(.clockAhead) ? receivedAt : id.time }

    package init(
        id: MessageID, account: String, network: String, workspace: String? = nil, roomID: Int64, room: String,
        kind: MessageKind,
        sender: Sender?, body: String?, remoteID: String?, receivedAt: Timestamp, sourceTime: Timestamp?,
        flags: MessageFlags, editedAt: Timestamp? = nil, deletedAt: Timestamp? = nil,
        attachments: [Attachment] = [], reply: Reply? = nil, reactions: [Reaction] = []
    ) {
        self.id = id
        self.account = account
        self.network = network
        self.workspace = workspace
        self.roomID = roomID
        self.room = room
        self.kind = kind
        self.sender = sender
        self.body = body
        self.remoteID = remoteID
        self.receivedAt = receivedAt
        self.sourceTime = sourceTime
        self.flags = flags
        self.editedAt = editedAt
        self.deletedAt = deletedAt
        self.attachments = attachments
        self.reply = reply
        self.reactions = reactions
    }
}
