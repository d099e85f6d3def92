import Bytes

/// A message as it came from the network.
package struct IncomingMessage: Sendable, Hashable {
    /// Nil for an imported message.
    package var session: SessionID?
    package var room: RoomReference
    package var kind: MessageKind
    /// Nil for `system`.
    package var sender: UserReference?
    /// The text, or the reason, topic or new name; nil if there is none.
    package var body: String?
    /// The network's id, or else the place in its stream; nil if there is neither. Equal lines without an id are two
    /// messages.
    package var remoteID: String?
    /// The time that the network claims; nil if it gives none that can be read.
    package var sourceTime: Timestamp?
    /// The time of receipt: this machine's clock plus the session's ``ReceiptOffset``.
    package var receivedAt: Timestamp
    package var flags: MessageFlags
    /// The id of an edit that is an event of its own. Such an edit changes only a message of the same sender; otherwise it
    /// is stored as a message with this id. Nil on networks whose servers check who edits.
    package var editID: String?
    /// True for an edit that the network adds to its message. It is never a message of its own.
    package var isBundledEdit = false
    /// The time of the last edit, as the network claims; nil for the first text, and on a network that sends no such
    /// time.
    package var editedAt: Timestamp?
    /// The time of the deletion, as the network claims; nil for a message that is not deleted.
    package var deletedAt: Timestamp?
    /// The network's id of the message that this one replies to; nil if there is none.
    package var replyTo: String?
    /// The places of the message's files on the network.
    package var attachments: [String]
    /// The original bytes of the message, on a network that sends messages one by one; nil on others.
    package var raw: [UInt8]?

    package init(
        session: SessionID?, room: RoomReference, kind: MessageKind, sender: UserReference?, body: String?,
        remoteID: String? = nil, sourceTime: Timestamp? = nil, receivedAt: Timestamp, flags: MessageFlags = [],
        editedAt: Timestamp? = nil, deletedAt: Timestamp? = nil, replyTo: String? = nil, attachments: [String] = [],
        raw: [UInt8]? = nil
    ) {
        (self.session, self.room, self.kind, self.sender, self.body) = (session, room, kind, sender, body)
        (self.remoteID, self.sourceTime, self.receivedAt, self.flags) = (remoteID, sourceTime, receivedAt, flags)
        (self.editedAt, self.deletedAt, self.replyTo) = (editedAt, deletedAt, replyTo)
        (self.attachments, self.raw) = (attachments, raw)
    }
}

extension IncomingMessage {
    /// The message with U+FFFD in place of U+0000 in each text that is stored.
    package var withoutNUL: IncomingMessage {
        var copy = self
        copy.body = body?.withoutNUL
        copy.remoteID = remoteID?.withoutNUL
        copy.replyTo = replyTo?.withoutNUL
        copy.room.name = room.name.withoutNUL
        copy.sender = sender?.withoutNUL
        copy.attachments = attachments.map(\.withoutNUL)
        return copy
    }

    /// True if ``withoutNUL`` is another message.
    package var hasNUL: Bool {
        room.name.hasNUL || (sender?.name.hasNUL ?? false) || (sender?.key.hasNUL ?? false) || (body?.hasNUL ?? false)
            || (remoteID?.hasNUL ?? false) || (replyTo?.hasNUL ?? false)
            || attachments.contains(where: \.hasNUL)
    }
}

extension UserReference {
    package var withoutNUL: UserReference {
        var copy = self
        (copy.key, copy.name) = (key.withoutNUL, name.withoutNUL)
        return copy
    }
}
