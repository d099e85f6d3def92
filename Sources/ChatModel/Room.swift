/// The last thing that a user said in a room, for a list of rooms.
package struct LastSaid: Sendable, Hashable {
    package var id: MessageID
    package var kind: MessageKind
    /// The sender's present name; nil for the server's own lines.
    package var sender: String?
    /// The text, at most ``maximumLength`` characters of it; nil if there is none, or it was deleted.
    package var body: String?
    package var isDeleted: Bool
    /// True for a topic that stood when the account joined the room.
    package var isStanding: Bool

    /// 200, more than the rest of a wide terminal's line.
    package static let maximumLength = 200

    package init(
        id: MessageID, kind: MessageKind, sender: String?, body: String?, isDeleted: Bool, isStanding: Bool = false
    ) {
        (self.id, self.kind, self.sender, self.body) = (id, kind, sender, body)
        (self.isDeleted, self.isStanding) = (isDeleted, isStanding)
    }
}

/// A room in the archive.
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
    /// The number of encrypted messages whose texts are unknown; nil if they were not counted.
    package var encrypted: Int64?
    /// The first message; nil in an empty room.
    package var firstMessage: MessageID?
    /// The newest message; nil in an empty room.
    package var lastMessage: MessageID?
    /// True if no messages are left, because a rule or a request removed some.
    package var isEmptied = false
    /// The unread messages; nil if they weren't counted.
    package var unread: UnreadCount?
    /// The beginning of coverage: earlier times are "not archived", not a gap. Nil while nothing was ever covered.
    package var coveredFrom: Timestamp?
    /// The time when the account was found to have left the room; nil while it is in the room.
    package var leftAt: Timestamp?
    /// The time when the network was found to have removed the room; nil while it has the room.
    package var goneAt: Timestamp?
    /// The reason why the listener does not receive the room, or can't fetch its history; nil if there is no trouble.
    package var trouble: RoomTrouble?
    /// The last message other than joins, leaves, renames and modes; nil if there is none, or it was not read.
    package var lastSaid: LastSaid?
    /// The topic that was set last, at most ``maximumTopicLength`` characters of it; nil if there is none, or it was not
    /// read.
    package var topic: String?
    /// The description, at most ``maximumTopicLength`` characters of it, on networks where that is not the topic; nil if
    /// there is none, or it was not read.
    package var description: String?
    /// The present name of the person to whom the room belongs; nil if that is unknown, or was not read.
    package var owner: String?
    /// Today's picture; nil if there is none, or it was not read.
    package var picture: Picture?
    /// Today's picture of the workspace; nil if there is none, or it was not read.
    package var workspacePicture: Picture?

    /// 1000, more than twice what a line of IRC has space for.
    package static let maximumTopicLength = 1000

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

    package var key: RoomKey { RoomKey(account: account, id: id) }
}
