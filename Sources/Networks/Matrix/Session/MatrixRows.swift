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

    /// - Parameters:
    ///   - target: The id of the edited message.
    ///   - own: The id of the edit; nil if it is unknown.
    func edit(_ said: MatrixEvent.Said, of target: String, at time: Timestamp, by own: String? = nil) -> ChatEvent {
        var message = message(said)
        (message.remoteID, message.editedAt, message.editID) = (target, time, own)
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
