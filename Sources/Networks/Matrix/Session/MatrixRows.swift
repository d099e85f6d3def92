import ChatModel
import LogFormats
import MatrixWire

/// The rows that an event of a room may add to the archive, or change.
struct MatrixRows {
    let event: MatrixEvent
    let session: SessionID
    let room: RoomReference
    /// The time of receipt.
    let at: Timestamp
    let sender: UserReference

    /// - Parameter by: The person whose row it is; nil for the sender.
    func message(_ said: MatrixEvent.Said, by: UserReference? = nil, replyTo: String? = nil) -> IncomingMessage {
        IncomingMessage(
            session: session, room: room, kind: said.kind, sender: by ?? sender, body: said.body, remoteID: event.id,
            sourceTime: event.time, receivedAt: at, flags: said.flags, replyTo: replyTo, attachments: said.files,
            raw: event.raw)
    }

    /// Returns this event as the edit of a message.
    ///
    /// - Parameter target: The id of the edited message.
    func edit(_ said: MatrixEvent.Said, of target: String) -> ChatEvent {
        var message = message(said)
        (message.remoteID, message.editedAt, message.editID) = (target, event.time, event.id)
        return .message(message, .edit)
    }

    /// Returns the edit that the server adds to this event.
    func bundledEdit(_ edit: MatrixEvent.Edit) -> ChatEvent {
        var message = message(edit.said)
        (message.editedAt, message.editID, message.isBundledEdit) = (edit.time, edit.id, true)
        return .message(message, .edit)
    }

    func reaction(_ key: String, to target: String) -> ChatEvent {
        .reaction(
            IncomingReaction(
                session: session, room: room, target: target, sender: sender, text: key, sourceTime: event.time,
                receivedAt: at, ownID: event.id))
    }

    func deletion(of target: String, by: UserReference?, _ reason: String?, _ time: Timestamp) -> ChatEvent {
        .deleted(
            MessageDeletion(
                session: session, room: room, remoteID: target, sourceTime: time, receivedAt: at,
                retraction: MessageDeletion.Retraction(by: by, reason: reason, wipes: true)))
    }
}
