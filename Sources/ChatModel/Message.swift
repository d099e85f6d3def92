/// A message as readers get it, with names resolved.
package struct Message: Sendable, Hashable {
    package struct Sender: Sendable, Hashable {
        /// The user's number in the account's file.
        package var id: Int64
        package var name: String
        /// True for the account itself.
        package var isSelf: Bool
        /// The picture when the message was sent, or today's, by ``MessageQuery/Names``; nil if there is none.
        package var picture: Picture?
        /// The network's id of the person, on networks whose ids people see; nil on others.
        package var key: String?
        /// True if another person of the room has this name, so that only the ids tell them apart.
        package var isAmbiguous = false

        package init(id: Int64, name: String, isSelf: Bool) {
            (self.id, self.name, self.isSelf) = (id, name, isSelf)
        }
    }

    /// The message that another one replies to.
    package struct Reply: Sendable, Hashable {
        /// The network's id.
        package var remoteID: String
        /// The stored message; nil if it is not stored. Sender and body are also nil in that case.
        package var id: MessageID?
        /// The sender's name; nil for `system`.
        package var sender: String?
        /// The beginning of its present text, at most ``excerpt`` code points.
        package var body: String?

        package init(remoteID: String, id: MessageID? = nil, sender: String? = nil, body: String? = nil) {
            (self.remoteID, self.id, self.sender, self.body) = (remoteID, id, sender, body)
        }

        /// The limit of code points of a reply's `body`.
        package static let excerpt = 200
    }

    /// A reaction, with all users who gave it.
    package struct Reaction: Sendable, Hashable {
        package var text: String
        /// The present names of the users, in order of time.
        package var by: [String]

        package init(text: String, by: [String]) {
            (self.text, self.by) = (text, by)
        }

        /// The limit of reactions of a message that are read, the earliest first. No known network shows as many.
        package static let limit = 1000
    }

    /// The bridge that brought a message.
    package struct Via: Sendable, Hashable {
        /// The bot's name.
        package var bot: String
        /// The beginning of the bot's text, such as `<alice> `, which is before ``Message/body``.
        package var prefix: String

        package init(bot: String, prefix: String) {
            (self.bot, self.prefix) = (bot, prefix)
        }
    }

    package var id: MessageID
    package var account: String
    package var network: String
    /// The present name; nil on networks without workspaces.
    package var workspace: String?
    /// The room's number in the account's file.
    package var roomID: Int64
    /// The room's name when the message was sent, or its present name, by ``MessageQuery/Names``.
    package var room: String
    package var kind: MessageKind
    /// The sender; nil for `system`.
    package var sender: Sender?
    /// The bridge by which the sender wrote; nil for a sender on the network itself.
    package var via: Via?
    /// The text, or the reason, topic or new name; nil if there is none.
    package var body: String?
    /// The network's id; nil if it has none.
    package var remoteID: String?
    /// The time of receipt by this machine's clock, or of the import of a log.
    package var receivedAt: Timestamp
    /// The time that the network claims, if it differs from the id's time; nil otherwise.
    package var sourceTime: Timestamp?
    package var flags: MessageFlags
    /// True if only the ciphertext is known.
    package var isUndecrypted: Bool { flags.contains(.encrypted) && body == nil && deletedAt == nil }
    /// The time when the message got its present text; nil for the original text.
    package var editedAt: Timestamp?
    /// The time when the message was deleted; nil if it was not. `body` is the last text.
    package var deletedAt: Timestamp?
    package var attachments: [Attachment]
    /// The message that this one replies to; nil if there is none.
    package var reply: Reply?
    /// The reactions in the order of the first of each.
    package var reactions: [Reaction]

    /// The message with its text as a bridge's bot wrote it.
    package var asWritten: Message {
        guard let via else { return self }
        var message = self
        (message.body, message.via) = (body.map { via.prefix + $0 }, nil)
        return message
    }

    /// The time to show: the id's time, or the time of receipt if the id is known to be later than the message.
    package var time: Timestamp { flags.contains(.clockAhead) ? receivedAt : id.time }

    package init(
        id: MessageID, account: String, network: String, workspace: String? = nil, roomID: Int64, room: String,
        kind: MessageKind,
        sender: Sender?, body: String?, remoteID: String?, receivedAt: Timestamp, sourceTime: Timestamp?,
        flags: MessageFlags, editedAt: Timestamp? = nil, deletedAt: Timestamp? = nil,
        attachments: [Attachment] = [], reply: Reply? = nil, reactions: [Reaction] = []
    ) {
        (self.id, self.account, self.network, self.workspace, self.roomID) = (id, account, network, workspace, roomID)
        (self.room, self.kind, self.sender, self.body, self.remoteID) = (room, kind, sender, body, remoteID)
        (self.receivedAt, self.sourceTime, self.flags, self.editedAt) = (receivedAt, sourceTime, flags, editedAt)
        (self.deletedAt, self.attachments, self.reply, self.reactions) = (deletedAt, attachments, reply, reactions)
    }
}
